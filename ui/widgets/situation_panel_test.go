package widgets

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// crowd returns a view of situations at the places, worst first.
func crowd(t *testing.T, places ...string) SituationPanelData {
	t.Helper()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	v := &situation.View{At: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}
	for _, name := range places {
		v.Live = append(v.Live, situation.Situation{
			ID: name, Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: name}, Title: name},
			Level: alert.Critical, Affected: 9, Headline: "9 callers waiting, longest 1:10. No one available for 1:02.",
			Causes: []diagnosis.Cause{{Text: "4 of 7 agents of " + name + " went to MEETING at 10:00"}},
			Help:   situation.Help{Needed: situation.Staffing{MoreAgents: 2, ClearTime: 3 * time.Minute}},
		})
	}
	return SituationPanelData{
		Look: style.New(style.Options{Theme: theme, Location: time.UTC}, render.Options{}), View: v, Keys: SituationKeys{AllSituations: "page 7"},
	}
}

// TestOneSituationWhole checks that the selected situation is shown completely, and each other situation
// on one line.
func TestOneSituationWhole(t *testing.T) {
	t.Parallel()
	places := []string{"Billing EN", "Contracts PT", "Sales IT", "Returns ES"}
	for _, tt := range []struct {
		places, room int
		chosen       string
		want         []string // beginning of each line, without leading spaces
	}{
		{1, 3, "", []string{"▲ Billing EN", "why", "what helps"}},
		{1, 2, "", []string{"▲ Billing EN", "why"}},
		{2, 4, "", []string{"▲ Billing EN", "why", "what helps", "▲ Contracts PT"}},
		{2, 6, "", []string{"▲ Billing EN", "why", "what helps", "▲ Contracts PT", "why", "what helps"}},
		{2, 5, "Contracts PT", []string{"▲ Billing EN", "why", "▲ Contracts PT", "why", "what helps"}},
		{4, 4, "", []string{"▲ Billing EN", "why", "what helps", "and 3 more: Contracts PT"}},
		{4, 4, "Sales IT", []string{"▲ Sales IT", "why", "what helps", "and 3 more: Billing EN"}},
		{4, 5, "", []string{"▲ Billing EN", "why", "what helps", "▲ Contracts PT", "and 2 more: Sales IT"}},
		{4, 1, "", []string{"▲ Billing EN"}},
		{4, 2, "", []string{"▲ Billing EN", "and 3 more"}},
	} {
		sh := crowd(t, places[:tt.places]...)
		for _, w := range []int{60, 80, 120, 200} {
			p := SituationPanel{selected: tt.chosen}
			lines := p.View(sh, 0, 0, w, tt.room, SituationPanelOptions{})
			if len(lines) != len(tt.want) {
				t.Fatalf("%d lines, want %d", len(lines), len(tt.want))
			}
			for i, line := range lines {
				text := strings.TrimSpace(ansi.Strip(line))
				if !strings.HasPrefix(text, tt.want[i]) {
					t.Errorf("%d of %d at %d cells, line %d: %q, want %q", tt.places, tt.room, w, i, text, tt.want[i])
				}
				if got := style.Width(line); got != w {
					t.Errorf("%q has %d cells, want %d", line, got, w)
				}
			}
		}
	}
}

// TestSentencesGetShorter checks that the longest wait stays visible at 80 columns, and the time
// without a ready agent if the name of the place leaves room for it.
func TestSentencesGetShorter(t *testing.T) {
	t.Parallel()
	sh := crowd(t, "Contracts PT", "Deliveries NL · chat")
	var p SituationPanel
	text := ansi.Strip(strings.Join(p.View(sh, 0, 0, 80, 4, SituationPanelOptions{}), "\n"))
	for _, want := range []string{"Contracts PT: 9 callers waiting, longest 1:10. No one available for 1:02. ", "Deliveries NL · chat: 9 callers waiting, longest 1:10. "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// TestFirstFollowsOrder checks that the panel selects the most urgent situation until the viewer
// selects another one, also after the order has changed.
func TestFirstFollowsOrder(t *testing.T) {
	t.Parallel()
	sh := crowd(t, "Billing EN", "Contracts PT", "Sales IT")
	var p SituationPanel
	p.SelectFirst()
	slices.Reverse(sh.View.Live)
	if got := p.Selected(sh).ID; got != "Sales IT" {
		t.Errorf("%s is selected, but the most urgent one is Sales IT", got)
	}
	p.MoveSelection(sh, 1)
	slices.Reverse(sh.View.Live)
	if p.MoveSelection(sh, 1); p.Selected(sh).ID != "Sales IT" {
		t.Errorf("%s is below Contracts PT", p.Selected(sh).ID)
	}
	slices.Reverse(sh.View.Live)
	if got := p.Selected(sh).ID; got != "Sales IT" {
		t.Errorf("%s is selected, but the viewer selected Sales IT", got)
	}
}

// TestDayFiguresAreQuiet checks that a situation about figures of the day has the mark of a missed
// target instead of the color of a warning.
func TestDayFiguresAreQuiet(t *testing.T) {
	t.Parallel()
	sh := crowd(t, "Billing EN")
	s := &sh.View.Live[0]
	s.Alerts = []alert.Alert{{Daily: true}, {Daily: true}}
	if token, glyph := SituationStyle(sh.Look, s); token != themes.Text || glyph != "▾" {
		t.Errorf("token %v, glyph %q", token, glyph)
	}
	s.Alerts = append(s.Alerts, alert.Alert{})
	if token, _ := SituationStyle(sh.Look, s); token != themes.Critical {
		t.Errorf("token %v for an alert about the queue", token)
	}
}
