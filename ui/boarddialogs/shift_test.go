package boarddialogs

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// TestShiftIsDrawn draws the band, the contacts and the sums in any width, and explains
// why there are none.
func TestShiftIsDrawn(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	h := func(n float64) time.Time { return at.Add(time.Duration(n * float64(time.Hour))) }
	known := []analysis.Shift{{
		Channel: model.Call,
		Periods: []analysis.StatePeriod{
			{From: h(0), To: h(2), State: model.Ready},
			{From: h(3), To: h(4), State: model.Busy}, // an hour without a recording
			{From: h(4), To: h(5), LoggedOut: true},
			{From: h(5), To: h(8), State: model.NotReady, Code: "BREAK"},
		},
		Answered: []analysis.AnsweredContacts{{At: h(1), Count: 2}, {At: h(3.5), Count: 12}, {At: h(8), Count: 1}},
	}}
	for _, ascii := range []bool{false, true} {
		lk := style.New(style.Options{ASCII: ascii, Location: time.UTC}, render.Options{})
		sc := &panes.Scene{Look: lk, Floor: &floorview.View{Channel: model.Call}}
		s := agentShift{requested: true}
		of := alert.Key{Scope: alert.User, Code: "anna", Channel: model.Call}
		for _, w := range []int{12, 30, 76, 116, 196} {
			s.setResult(shiftMsg{shifts: known})
			lines := s.lines(sc, of, w)
			for _, l := range lines {
				if style.Width(l) > w {
					t.Errorf("%d cells in %d: %q", style.Width(l), w, ansi.Strip(l))
				}
			}
			text := ansi.Strip(strings.Join(lines, "\n"))
			if w < 60 {
				continue
			}
			for _, want := range []string{"08:00", "12:00", "15 contacts", "Ready 2:00:00", "Not ready 3:00:00", "+"} {
				if !strings.Contains(text, want) {
					t.Errorf("%d cells: no %q in\n%s", w, want, text)
				}
			}
			if band := []rune(ansi.Strip(lines[2])); string(band[widgets.HourLabelWidth+5*(w-widgets.HourLabelWidth)/16]) != lk.Glyphs.Dot || string(band[widgets.HourLabelWidth+9*(w-widgets.HourLabelWidth)/16]) != " " {
				t.Errorf("unknown and logged out: %q", string(band))
			}
		}
		s.setResult(shiftMsg{err: errors.New("the disk is away")})
		if text := ansi.Strip(strings.Join(s.lines(sc, of, 80), "\n")); !strings.Contains(text, "the disk is away") {
			t.Error(text)
		}
		s.setResult(shiftMsg{})
		if text := ansi.Strip(strings.Join(s.lines(sc, of, 80), "\n")); !strings.Contains(text, "Nothing is recorded for this agent.") {
			t.Error(text)
		}
	}
}

// TestHourIsFilled completes the last hour from the recording, and keeps what the board
// has observed.
func TestHourIsFilled(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return end.Add(time.Duration(minutes-60) * time.Minute) }
	s := agentShift{shifts: []analysis.Shift{{Channel: model.Call, Periods: []analysis.StatePeriod{
		{From: at(10), To: at(20), State: model.Ready}, {From: at(20), To: at(30), LoggedOut: true}, {From: at(40), To: at(60), State: model.Busy},
	}}}}
	h := diagnosis.AgentHour{End: end, Step: time.Minute, States: make([]model.UserStatus, 60)}
	h.States[50] = model.WNR
	got := s.fillUnknownStates(h, model.Call).States
	for minute, want := range map[int]model.UserStatus{5: "", 15: model.Ready, 25: "", 35: "", 45: model.Busy, 50: model.WNR, 59: model.Busy} {
		if got[minute] != want {
			t.Errorf("minute %d: %q, want %q", minute, got[minute], want)
		}
	}
	h = diagnosis.AgentHour{End: end, Step: time.Minute, States: make([]model.UserStatus, 60)}
	if got := s.fillUnknownStates(h, model.Chat).States; got[15] != "" {
		t.Error("another channel is filled")
	}
}

// TestShiftHasTheShadesOfTheStates checks that the band and the sums use the usual
// color of each state.
func TestShiftHasTheShadesOfTheStates(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for _, is := range render.StateOrder() {
		state := render.StateOf(is, model.Call)
		lk := style.New(style.Options{Theme: theme, Location: time.UTC}, render.Options{})
		s := agentShift{requested: true, shifts: []analysis.Shift{{Channel: model.Call, Periods: []analysis.StatePeriod{{From: at, To: at.Add(time.Hour), State: is}}}}}
		lines := s.lines(&panes.Scene{Look: lk, Floor: &floorview.View{Channel: model.Call}}, alert.Key{Scope: alert.User, Code: "anna", Channel: model.Call}, 80)
		told := 0
		for _, l := range lines {
			told += strings.Count(l, lk.Theme.OpenSequence(state.Token))
		}
		if told < 2 {
			t.Errorf("%s has its color %d times:\n%q", state.Word.In(nil), told, lines)
		}
	}
}
