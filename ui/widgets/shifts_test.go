package widgets_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// floor returns a snapshot of one agent with a number of answered contacts.
func floor(answered int64) *model.Snapshot {
	s := model.NewStore()
	s.UserStats.Put(&model.UserStat{Username: model.TextOf("anna"), AgentFigures: model.AgentFigures{
		Channel: model.Call, NumberCallFromServiceAnswered: model.IntOf(answered),
	}})
	return s.Publish(noon, model.Health{})
}

// shift returns a shift since 9:30, unknown from 10:15 to 10:30, with a break from
// 11:00 to 11:15 during which the agent logged out.
func shift(context.Context, string) ([]analysis.Shift, error) {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes-180) * time.Minute) }
	return []analysis.Shift{{Channel: model.Call, Periods: []analysis.StatePeriod{
		{From: at(30 - 600), To: at(60 - 600), State: model.Busy}, // a shift of the previous day
		{From: at(30), To: at(75), State: model.Ready},
		{From: at(90), To: at(120), State: model.Busy},
		{From: at(120), To: at(135), LoggedOut: true},
		{From: at(135), To: at(185), State: model.Ready},
	}, Answered: []analysis.AnsweredContacts{{At: at(40), Count: 1}, {At: at(95), Count: 2}, {At: at(110), Count: 1}, {At: at(181), Count: 1}}}}, nil
}

// lately returns a function for the last hour, of which the board has observed only the last ten minutes.
func lately(now time.Time) func() []widgets.HourLine {
	return func() []widgets.HourLine {
		h := diagnosis.AgentHour{End: now, Step: time.Minute, States: make([]model.UserStatus, 60)}
		for i := 50; i < 60; i++ {
			h.States[i] = model.NotReady
		}
		return []widgets.HourLine{{Channel: model.Call, AgentHour: h}}
	}
}

func plain(t *testing.T) *style.Look {
	t.Helper()
	theme, err := themes.LoadEmbedded("monochrome")
	if err != nil {
		t.Fatal(err)
	}
	return style.New(style.Options{Theme: theme, Mono: true, ASCII: true, Location: time.UTC}, render.Options{})
}

// arrive delivers the message of a command.
func arrive(t *testing.T, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		t.Fatal("no command")
	}
	m, ok := cmd().(interface{ Apply() tea.Cmd })
	if !ok {
		t.Fatal("no message")
	}
	m.Apply()
}

// TestDraw draws one line per hour: unknown times as dots, absence as blanks, and times
// after the reading from the board's data.
func TestDraw(t *testing.T) {
	t.Parallel()
	lk, read := plain(t), func() widgets.ShiftReader { return shift }
	var b widgets.ShiftCache
	now := noon.Add(5 * time.Minute)
	b.Request("anna", false, now)
	arrive(t, b.NextRead(t.Context(), read, floor(10), now, now))
	now = noon.Add(15 * time.Minute)
	const w = 11 + 60 + 10 // one cell per minute
	got := strings.Split(ansi.Strip(strings.Join(b.Draw(lk, floor(12), "anna", now, lately(now), w, 20), "\n")), "\n")
	if len(got) != 6 || !strings.HasSuffix(got[0], "Contacts") {
		t.Fatalf("the shift is\n%s", strings.Join(got, "\n"))
	}
	for i, want := range []struct{ dots, blanks, contacts string }{
		{strings.Repeat(lk.Glyphs.Dot, 30), "", "1"}, {strings.Repeat(lk.Glyphs.Dot, 15), "", "3"}, {"", strings.Repeat(" ", 15), "0"}, {"", strings.Repeat(" ", 45), "3"},
	} {
		line := got[1+i]
		if len(line) != w || !strings.HasSuffix(line, " "+want.contacts) || !strings.Contains(line[11:71], want.dots+want.blanks) {
			t.Errorf("line %d is %q, want %+v", i, line, want)
		}
		if want.dots == "" && strings.Contains(line[11:71], lk.Glyphs.Dot) {
			t.Errorf("line %d is %q: no time is unknown", i, line)
		}
	}
	if few := b.Draw(lk, floor(12), "anna", now, lately(now), w, 5); len(few) != 5 || !strings.Contains(ansi.Strip(few[1]), "10:00") {
		t.Errorf("with less room it is\n%s", ansi.Strip(strings.Join(few, "\n")))
	}
	for name, lines := range map[string][]string{
		"of somebody else":   b.Draw(lk, floor(12), "luca", now, lately(now), w, 20),
		"an hour later":      b.Draw(lk, floor(12), "anna", now.Add(time.Hour), lately(now), w, 20),
		"without room":       b.Draw(lk, floor(12), "anna", now, lately(now), w, 3),
		"too narrow":         b.Draw(lk, floor(12), "anna", now, lately(now), 30, 20),
		"on another channel": b.Draw(lk, floor(12), "anna", now, func() []widgets.HourLine { return nil }, w, 20),
	} {
		if len(lines) > 0 {
			t.Errorf("%s: %q", name, lines)
		}
	}
}

// TestTend checks that shifts are read one at a time, for previews only after a while, and never for an
// agent who is not in view.
func TestTend(t *testing.T) {
	t.Parallel()
	asked := ""
	fails := false
	read := func() widgets.ShiftReader {
		return func(ctx context.Context, username string) ([]analysis.Shift, error) {
			asked += username + " "
			if fails {
				return nil, errors.New("the disk is away")
			}
			return shift(ctx, username)
		}
	}
	var b widgets.ShiftCache
	s, now := floor(1), noon
	tend := func(who string, passing bool, after time.Duration) tea.Cmd {
		now = now.Add(after)
		if who != "" {
			b.Request(who, passing, now)
		}
		return b.NextRead(t.Context(), read, s, now, now)
	}
	if tend("", false, 0) != nil || tend("anna", true, 0) != nil || tend("luca", true, 900*time.Millisecond) != nil {
		t.Error("it reads for a passing preview")
	}
	cmd := tend("luca", true, 1100*time.Millisecond)
	if tend("anna", false, 0) != nil {
		t.Error("it reads two shifts at once")
	}
	arrive(t, cmd)
	if tend("luca", false, 0) != nil {
		t.Error("it reads a known shift")
	}
	arrive(t, tend("anna", false, 0))
	if tend("", false, 2*time.Hour) != nil {
		t.Error("it reads a shift that is not in view")
	}
	fails = true
	arrive(t, tend("anna", false, 0))
	if tend("anna", false, 30*time.Second) != nil {
		t.Error("it retries at once")
	}
	stale := tend("anna", false, 31*time.Second)
	changed := b.Version()
	b.DropAll()
	if arrive(t, stale); b.Version() != changed+1 {
		t.Error("a result arrived after Forget")
	}
	if asked != "luca anna anna anna " {
		t.Errorf("asked for %q", asked)
	}
	none := func() widgets.ShiftReader { return nil }
	if b.Request("anna", false, now); b.NextRead(t.Context(), none, s, now, now) != nil {
		t.Error("it reads without a reader")
	}
}
