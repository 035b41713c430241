package actions_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/uitest"
)

func TestHostileCallIsNotDrawnRaw(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(words.ActionReport{Outcome: resource.OutcomeUnknown, Text: words.Name("bad\x1b[2Jtext\u202e"), Warning: words.Name("\x1b]0;title\x07loud")})
	c.CallsText = `[{"uniqueId":"\u001b[31mid","clid":"\u001b]0;owned\u0007+39","dnis":"a\nb","callData":"\u001b[2J\u202eevil",
		"callInfo":{"\u001b[1m":"\u009b31m"}}]`
	b := newActing(t, c, 120, 40, pageAgents)
	raw := func() {
		t.Helper()
		for _, bad := range []string{"\x1b[31m", "\x1b]0;", "\x1b[2J", "\u202e", "\u009b", "\x07"} {
			if strings.Contains(b.View().Content, bad) {
				t.Errorf("%q is drawn:\n%q", bad, b.Text())
			}
		}
	}
	b.Press("l")
	raw()
	b.Press("x")
	raw()
	b.Press("y")
	raw()
	b.Press("enter", "enter", "i")
	raw()
}

func TestDialogKeepsItsAgent(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	b.Press("down")
	who := b.Selected()
	b.Press("x")
	for i := range 60 { // all other rows disappear, so that the row of the agent moves
		if uitest.AgentName(i) != who {
			b.Floor.Users.Delete(uitest.AgentName(i))
			b.Floor.UserStats.Delete(model.UserStatKey{Username: uitest.AgentName(i), Channel: model.Call})
		}
	}
	b.Publish()
	b.Press("y")
	if got := did[resource.HangUp](t, c.FakePlatform); got.Username != who {
		t.Errorf("%q was hung up, the dialog was about %q", got.Username, who)
	}
}

func TestAgentVanishesUnderTheDialog(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.Selected()
	b.Press("d")
	b.Type("123")
	b.CheckHides("has logged out")
	b.Floor.Users.Delete(who)
	b.Floor.UserStats.Delete(model.UserStatKey{Username: who, Channel: model.Call})
	b.Publish()
	b.CheckShows("has logged out")
	submit(b)
	if len(c.Changes) != 0 {
		t.Errorf("%v was done", c.Changes)
	}
}

func TestOutcomeReachesTheLogAfterItsDialogIsClosed(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(unknown())
	b := newActing(t, c, 120, 40, pageAgents)
	b.Press("x")
	arrive := b.PressLater("y")
	b.CheckShows("Waiting for the platform's answer")
	b.Press("i") // keys of the board have no effect while a dialog is open
	b.CheckShows("Waiting for the platform's answer")
	b.Press("esc", "i")
	b.CheckShowsAll("My actions", "pending")
	b.Press("esc")
	arrive()
	if b.Dialog() != nil {
		t.Error("a dialog came back")
	}
	b.CheckShows("Outcome unknown: Nobody knows whether it rings")
	b.Press("i")
	b.CheckShows("UNKNOWN")
}

func TestResultsOfClosedDialogsAreDropped(t *testing.T) {
	t.Parallel()
	b := newActing(t, uitest.NewController(done()), 80, 24, pageAgents)
	arrive := b.PressLater("x")
	b.Press("esc")
	arrive()
	if b.Dialog() != nil {
		t.Error("the calls of a closed dialog open a question")
	}
}

func TestWarningMustBeAcknowledged(t *testing.T) {
	t.Parallel()
	r := done()
	r.Warning = words.ControlUnrecorded()
	b := newActing(t, uitest.NewController(r), 80, 24, pageAgents)
	b.Press("d")
	b.Type("123")
	submit(b)
	b.CheckShowsAll("NOT being recorded", "I have read this")
	b.Press("esc", "enter", "q") // keys that were typed before the warning could be read
	b.CheckShows("NOT being recorded")
	b.AdvanceClock(dialog.WarningReadTime)
	b.Press("esc")
	b.CheckShows("NOT being recorded")
	b.Press("enter")
	b.CheckHides("I have read this")
	b.Press("i")
	b.CheckShows("NOT being recorded")
}

func TestErrorsCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{"calls": {"4", "l"}, "campaign": {"5", "e"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := uitest.NewController(done())
			b := newActing(t, c, 80, 24, pageAgents)
			c.ReadError = errors.New("The service does not answer.") //nolint:revive // a sentence for people
			b.Press(keys...)
			b.CheckShows("The service does not answer.")
			c.ReadError = nil
			b.Press("r")
			b.CheckHides("The service does not answer.")
		})
	}
}

func TestDialogsByMouse(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	c.CallsText = uitest.TwoCallsJSON
	b := newActing(t, c, 100, 30, pageAgents)
	click := func(what string) {
		t.Helper()
		l, y := b.Row(what)
		if y < 0 {
			t.Fatalf("%q is not on the screen:\n%s", what, b.Text())
		}
		b.Click(style.Width(l[:strings.Index(l, what)]), y)
	}
	b.Press("a")
	click("hang up a call")
	click("+39 02 777")
	click("+39 02 777")
	click("Leave it")
	b.CheckHides("'s call?")
	click("+39 02 777")
	click("[ Hang up (y)")
	if got := did[resource.HangUp](t, c.FakePlatform); got.CallID != "call-2" {
		t.Errorf("%+v was hung up", got)
	}
}

func TestDoublePressDoesNothingTwice(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("d", "d")
	if d, ok := b.Dialog().(*dialog.Form); !ok || d.Fields.Value("number") != "" {
		t.Error("the second press was typed into the form")
	}
}

func TestDialogsFitEveryScreen(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{
		{"4", "a"}, {"4", "d"}, {"4", "x"}, {"4", "l"}, {"4", "x", "y"}, {"5", "d"}, {"5", "x"}, {"5", "l"}, {"5", "e"}, {"i"},
	} {
		b := newActing(t, uitest.NewController(unknown()), 80, 24, pageAgents)
		b.Press(keys...)
		for _, size := range [][2]int{{40, 12}, {41, 13}, {500, 200}, {60, 15}} {
			b.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			b.CheckFits()
		}
	}
}
