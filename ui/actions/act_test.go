package actions_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
)

// Keys of pages.
const (
	pageServices  = "2"
	pageAgents    = "4"
	pageCampaigns = "5"
)

// newActing opens a page of a board with a controller.
func newActing(t testing.TB, c uitest.Platform, w, h int, page string, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	b := boardtest.New(t, w, h, append([]func(*ui.Options){func(o *ui.Options) { o.Actions.Controller = uitest.ControllerOf(c) }}, change...)...)
	b.Press(page)
	return b
}

func unknown() words.Report {
	return words.Report{Outcome: resource.Unknown, Text: words.Name("Nobody knows whether it rings: check the phone.")}
}

func TestDial(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.Selected()
	b.Press("d")
	b.Shows("Dial for ")
	b.Fill("+39 0471 123", "SRV01")
	submit(b)
	want := resource.Dial{Number: "+39 0471 123", ServiceCode: "SRV01", Username: who}
	if diff := cmp.Diff(want, did[resource.Dial](t, c.FakePlatform)); diff != "" {
		t.Error(diff)
	}
	if b.Dialog() != nil {
		t.Error("a dialog is left over")
	}
	b.Shows("It is done.")
	b.Shows(" ◌") // the platform has confirmed the action, but the feed does not show it yet
}

func TestDialSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(words.Report{Outcome: resource.Rejected, Text: words.Name("Anna has no phone logged in.")})
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("d")
	b.Type("abc")
	b.Shows("enter a phone number")
	submit(b)
	if len(c.Changes) != 0 {
		t.Fatal("an invalid number was dialed")
	}
	b.Press("backspace", "backspace", "backspace")
	b.Type("123")
	submit(b)
	b.ShowsAll("Rejected", "Anna has no phone logged in.", "enter correct it")
	b.Press("enter")
	b.ShowsAll("Dial for ", "123")
	b.Press("esc")
	b.Shows("would be lost")
	b.Press("y")
	b.Hides("Dial for ")
	b.Shows(" ✗")
}

func TestUnknownOutcomeOffersNoSecondTry(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(unknown())
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("d")
	b.Type("123")
	submit(b)
	b.ShowsAll("Outcome unknown", "check the phone")
	b.HidesAll("enter correct it", "ailed")
	b.Press("enter")
	if b.Dialog() != nil {
		t.Error("the form is there again")
	}
	b.Shows(" ?")
	b.Press("i")
	b.ShowsAll("UNKNOWN", "check the phone")
}

func TestHangUpNamesTheCall(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.Selected()
	b.Press("x")
	b.ShowsAll("Hang up this call of", "+39 0471 555", "800 100", "Sales Italy", "2026-03-02 10:41:00")
	b.Press("x", "enter") // the same key again, and then the button for no
	if len(c.Changes) != 0 {
		t.Fatalf("%v was done", c.Changes)
	}
	b.Press("esc", "x", "y")
	want := resource.HangUp{CallID: "call-1", Username: who}
	if diff := cmp.Diff(want, did[resource.HangUp](t, c.FakePlatform)); diff != "" {
		t.Error(diff)
	}
}

func TestOneOfSeveralCallsIsChosen(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	c.CallsText = uitest.TwoCalls
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("x")
	b.ShowsAll("+39 0471 555", "+39 02 777", "ringing", "recorded")
	b.Press("down", "enter", "y")
	if got := did[resource.HangUp](t, c.FakePlatform); got.CallID != "call-2" {
		t.Errorf("%+v was hung up", got)
	}
}

func TestRecording(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		keys []string
		want any
	}{
		"start":           {[]string{"v", "down", "enter", "y"}, resource.Recording{Username: uitest.AgentName(0), CallID: "call-2"}},
		"stop":            {[]string{"v", "enter", "y"}, "stop call-1"},
		"from the calls":  {[]string{"l", "w", "y"}, "stop call-1"},
		"not on the menu": {[]string{"a", "esc"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := uitest.NewController(done())
			c.CallsText = uitest.TwoCalls
			b := newActing(t, c, 80, 24, pageAgents)
			b.Page().Focused().Table.Select(uitest.AgentName(0))
			b.Press(tt.keys...)
			var got any
			if len(c.Changes) > 0 {
				got = c.Changes[0]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMenuSaysWhyNot(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	c.Refused = "The service has been down since 10:12."
	b.Press("a")
	b.ShowsAll("dial a number", "show the calls", "The service has been down since 10:12.")
	menu := b.Dialog()
	if b.Press("enter"); b.Dialog() != menu {
		t.Error("something was opened that cannot be done")
	}
	b.Press("l")
	b.Shows("Calls of ")
}

func TestHeaderSaysWhatCanNotBeDone(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 160, 40, pageAgents)
	b.HidesAll("control off", "read-only", "TLS NOT VERIFIED")
	c.Problem, c.IsInsecure = "no answer since 10:12", true
	b.AdvanceClock(time.Second)
	b.ShowsAll("control off: no answer since 10:12", "TLS NOT VERIFIED")
}

func TestHelpScrollsToEveryKey(t *testing.T) {
	t.Parallel()
	b := newActing(t, uitest.NewController(done()), 80, 24, pageAgents)
	b.Press("?")
	b.Hides("q ctrl+c")
	b.Press("end")
	b.Shows("q ctrl+c")
	b.Press("x")
	b.Hides("q ctrl+c")
	if b.Dialog() != nil {
		t.Error("the key that closes the help does something else as well")
	}
}

func TestCallsAreReadAgainAfterAnAction(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("l", "x", "y")
	b.Shows("Calls of Bianchi Jürgen")
	if len(c.Changes) != 1 || len(c.Asked) != 2 {
		t.Errorf("done %v, read %v", c.Changes, c.Asked)
	}
}

func TestHangUpWithoutAListedCall(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	c.CallsText = `[]`
	b := newActing(t, c, 80, 24, pageAgents)
	b.Floor.AgentOn(0, model.Ready, uitest.StartTime())
	b.Publish()
	b.Page().Focused().Table.Select(uitest.AgentName(0))
	b.Press("x")
	b.ShowsAll("is not on a call", "esc close")
	b.Press("enter")
	b.Shows("Hang up the current call")
	b.Press("esc", "esc")
	b.Floor.AgentOn(0, model.Busy, uitest.StartTime())
	b.Publish()
	b.Press("x")
	b.Shows("Hang up the current call")
	b.Press("n")
	if b.Dialog() != nil || len(c.Changes) != 0 {
		t.Errorf("asked twice, or done: %v", c.Changes)
	}
}

func TestSlowAnswerIsNamed(t *testing.T) {
	t.Parallel()
	b := newActing(t, uitest.NewController(done()), 80, 24, pageAgents)
	b.Press("x")
	b.PressLater("y")
	b.AdvanceClock(12 * time.Second)
	b.Shows("No answer for 0:12.")
	b.Press("esc", "i")
	b.Shows("No answer for 0:12.")
}
