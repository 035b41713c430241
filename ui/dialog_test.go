package ui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/uitest"
)

func TestHostileCallIsNotDrawnRaw(t *testing.T) {
	t.Parallel()
	c := newFloorController(resource.Report{Outcome: resource.Unknown, Text: "bad\x1b[2Jtext\u202e", Warning: "\x1b]0;title\x07loud"})
	c.CallsText = `[{"uniqueId":"\u001b[31mid","clid":"\u001b]0;owned\u0007+39","dnis":"a\nb","callData":"\u001b[2J\u202eevil",
		"callInfo":{"\u001b[1m":"\u009b31m"}}]`
	b := newActing(t, c, 120, 40, pageAgents)
	raw := func() {
		t.Helper()
		for _, bad := range []string{"\x1b[31m", "\x1b]0;", "\x1b[2J", "\u202e", "\u009b", "\x07"} {
			if strings.Contains(b.View().Content, bad) {
				t.Errorf("%q is drawn:\n%q", bad, b.text())
			}
		}
	}
	b.press("l")
	raw()
	b.press("x")
	raw()
	b.press("y")
	raw()
	b.press("enter", "enter", "i")
	raw()
}

func TestDialogKeepsItsAgent(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	b.press("down")
	who := b.selected()
	b.press("x")
	for i := range 60 { // all rows move
		if agentName(i) != who {
			b.floor.Users.Delete(agentName(i))
			b.floor.UserStats.Delete(model.UserStatKey{Username: agentName(i), Channel: model.Call})
		}
	}
	b.publish()
	b.press("y")
	if got := did[resource.HangUp](t, c.Desk); got.Username != who {
		t.Errorf("%q was hung up, the dialog was about %q", got.Username, who)
	}
}

func TestAgentVanishesUnderTheDialog(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.selected()
	b.press("d")
	b.words("123")
	b.hides("has logged out")
	b.floor.Users.Delete(who)
	b.floor.UserStats.Delete(model.UserStatKey{Username: who, Channel: model.Call})
	b.publish()
	b.shows("has logged out")
	b.submit()
	if len(c.Did) != 0 {
		t.Errorf("%v was done", c.Did)
	}
}

func TestOutcomeReachesTheLogAfterItsDialogIsClosed(t *testing.T) {
	t.Parallel()
	c := newFloorController(unknown())
	b := newActing(t, c, 120, 40, pageAgents)
	b.press("x")
	arrive := b.later("y")
	b.shows("Waiting for the platform's answer")
	b.press("i") // no key of the board works under a dialog
	b.shows("Waiting for the platform's answer")
	b.press("esc", "i")
	b.says("My actions", "under way")
	b.press("esc")
	arrive()
	if b.dialogs.Top() != nil {
		t.Error("a dialog came back")
	}
	b.shows("Not known whether it happened: Nobody knows whether it rings")
	b.press("i")
	b.shows("UNKNOWN")
}

func TestResultsOfClosedDialogsAreDropped(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 80, 24, pageAgents)
	arrive := b.later("x")
	b.press("esc")
	arrive()
	if b.dialogs.Top() != nil {
		t.Error("the calls of a closed dialog open a question")
	}
}

func TestWarningMustBeAcknowledged(t *testing.T) {
	t.Parallel()
	r := done()
	r.Warning = "The call is up, but it is NOT being recorded."
	b := newActing(t, newFloorController(r), 80, 24, pageAgents)
	b.press("d")
	b.words("123")
	b.submit()
	b.says("NOT being recorded", "I have read this")
	b.press("esc", "enter", "q") // typed on before it could be read
	b.shows("NOT being recorded")
	b.pass(dialog.WarningReadTime)
	b.press("esc")
	b.shows("NOT being recorded")
	b.press("enter")
	b.hides("I have read this")
	b.press("i")
	b.shows("NOT being recorded")
}

func TestErrorsCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{"calls": {"4", "l"}, "campaign": {"5", "e"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newFloorController(done())
			b := newActing(t, c, 80, 24, pageAgents)
			c.Failing = errors.New("The service does not answer.") //nolint:revive // a sentence for people
			b.press(keys...)
			b.shows("The service does not answer.")
			c.Failing = nil
			b.press("r")
			b.hides("The service does not answer.")
		})
	}
}

func TestDialogsByMouse(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	c.CallsText = uitest.TwoCalls
	b := newActing(t, c, 100, 30, pageAgents)
	click := func(what string) {
		t.Helper()
		l, y := b.row(what)
		if y < 0 {
			t.Fatalf("%q is not on the screen:\n%s", what, b.text())
		}
		b.click(style.Width(l[:strings.Index(l, what)]), y)
	}
	b.press("a")
	click("hang up a call")
	click("+39 02 777")
	click("+39 02 777")
	click("Leave it")
	b.hides("Hang up this call")
	click("+39 02 777")
	click("[ Hang up (y)")
	if got := did[resource.HangUp](t, c.Desk); got.CallID != "call-2" {
		t.Errorf("%+v was hung up", got)
	}
}

func TestDoublePressDoesNothingTwice(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	b.press("d", "d")
	if d, ok := b.dialogs.Top().(*dialog.Form); !ok || d.Fields.Value("number") != "" {
		t.Error("the second press was typed into the form")
	}
}

func TestDialogsFitEveryScreen(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{
		{"4", "a"}, {"4", "d"}, {"4", "x"}, {"4", "l"}, {"4", "x", "y"}, {"5", "d"}, {"5", "x"}, {"5", "l"}, {"5", "e"}, {"i"},
	} {
		b := newActing(t, newFloorController(unknown()), 80, 24, pageAgents)
		b.press(keys...)
		for _, size := range [][2]int{{40, 12}, {41, 13}, {500, 200}, {60, 15}} {
			b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			b.fits()
		}
	}
}

func TestDialogsArePainted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"light", "dark"} {
		for _, keys := range [][]string{{"a"}, {"d", "1"}, {"x"}, {"l"}, {"x", "y"}, {"x", "y", "enter", "i"}} {
			b := newActing(t, newFloorController(unknown()), 80, 24, pageAgents, func(o *Options) { o.Theme = mustTheme(t, name) })
			b.press(keys...)
			b.painted()
		}
	}
}
