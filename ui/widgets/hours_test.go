package widgets_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// TestDrawHours draws the given channel first, unknown times as dots, and the duration of
// each state.
func TestDrawHours(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded("monochrome")
	if err != nil {
		t.Fatal(err)
	}
	s := model.NewStore()
	for _, ch := range []model.Channel{model.Call, model.Chat} {
		s.UserStats.Put(&model.UserStat{Username: model.TextOf("anna"), AgentFigures: model.AgentFigures{Channel: ch}})
	}
	hour := func(k model.UserStatKey) diagnosis.AgentHour {
		h := diagnosis.AgentHour{End: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Step: time.Minute, States: make([]model.UserStatus, 60)}
		for i := 20; i < 60; i++ {
			h.States[i] = model.Ready
			if k.Channel == model.Chat && i < 50 {
				h.States[i] = model.Busy
			}
		}
		return h
	}
	lk := style.New(style.Options{Theme: theme, Mono: true, ASCII: true, Location: time.UTC}, render.Options{})
	got := ansi.Strip(strings.Join(widgets.DrawHours(lk, widgets.HourLines(s.Publish(time.Now(), model.Health{}), "anna", model.Chat, hour), 71), "\n"))
	want := "Chat       --------------------"
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "09:00") || !strings.Contains(got, "Recorded since 09:21.") {
		t.Errorf("the hour is\n%s", got)
	}
	if !strings.Contains(got, "30:00") || strings.Index(got, "Calls") < len(want) {
		t.Errorf("the hour is\n%s", got)
	}
}

// TestRecordedSince checks that the text says since when states are known only if the first states are
// unknown, and that it mentions later gaps.
func TestRecordedSince(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded("monochrome")
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme, Mono: true, ASCII: true, Location: time.UTC}, render.Options{})
	for _, tt := range []struct {
		name    string
		unknown []int
		want    string
	}{
		{"start", []int{0, 1}, "Recorded since 09:03."},
		{"middle", []int{30}, "Gaps are left out."},
		{"end", []int{59}, "Gaps are left out."},
		{"start and middle", []int{0, 30}, "Recorded since 09:02; gaps left out."},
	} {
		h := diagnosis.AgentHour{End: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Step: time.Minute, States: slices.Repeat([]model.UserStatus{model.Ready}, 60)}
		for _, i := range tt.unknown {
			h.States[i] = ""
		}
		got := widgets.DrawHours(lk, []widgets.HourLine{{Channel: model.Call, AgentHour: h}}, 71)
		if last := strings.TrimSpace(ansi.Strip(got[len(got)-1])); last != tt.want {
			t.Errorf("%s: it says %q, want %q", tt.name, last, tt.want)
		}
	}
}

// TestStrips draws as many agents as fit, each with the duration of its states, and the
// time below the last.
func TestStrips(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded("monochrome")
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme, Mono: true, ASCII: true, Location: time.UTC}, render.Options{})
	h := diagnosis.AgentHour{End: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), Step: time.Minute, States: make([]model.UserStatus, 60)}
	for i := range h.States {
		h.States[i] = model.Ready
	}
	line := widgets.HourLine{Channel: model.Call, AgentHour: h}
	of := []widgets.AgentHour{{"Anna", line}, {"Luca", line}, {"Sara", line}}
	for room, want := range map[int]int{0: 0, 2: 0, 3: 1, 8: 2, 9: 3, 30: 3} {
		got := widgets.DrawAgentHours(lk, of, 60, room)
		text := ansi.Strip(strings.Join(got, "\n"))
		if n := strings.Count(text, "Ready 1:00:00"); n != want || len(got) != 3*want {
			t.Errorf("%d lines have room for %d agents, want %d:\n%s", room, n, want, text)
		}
		if want > 0 && !strings.Contains(got[len(got)-1], "09:45") {
			t.Errorf("no time under the last strip:\n%s", text)
		}
	}
}
