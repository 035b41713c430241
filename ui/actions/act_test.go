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

func unknown() words.ActionReport {
	return words.ActionReport{Outcome: resource.OutcomeUnknown, Text: words.Name("Nobody knows whether it rings: check the phone.")}
}

func TestDial(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.Selected()
	b.Press("d")
	b.CheckShows("Dial for ")
	b.Fill("+39 0471 123", "SRV01")
	submit(b)
	want := resource.Dial{Number: "+39 0471 123", ServiceCode: "SRV01", Username: who}
	if diff := cmp.Diff(want, did[resource.Dial](t, c.FakePlatform)); diff != "" {
		t.Error(diff)
	}
	if b.Dialog() != nil {
		t.Error("a dialog is left over")
	}
	b.CheckShows("It is done.")
	b.CheckShows(" ◌") // the platform has confirmed the action, but the feed does not show it yet
}

func TestDialSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name("Anna has no phone logged in.")})
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("d")
	b.Type("abc")
	b.CheckShows("enter a phone number")
	submit(b)
	if len(c.Changes) != 0 {
		t.Fatal("an invalid number was dialed")
	}
	b.Press("backspace", "backspace", "backspace")
	b.Type("123")
	submit(b)
	b.CheckShowsAll("Rejected", "Anna has no phone logged in.", "enter correct it")
	b.Press("enter")
	b.CheckShowsAll("Dial for ", "123")
	b.Press("esc")
	b.CheckShows("would be lost")
	b.Press("y")
	b.CheckHides("Dial for ")
	b.CheckShows(" ✗")
}

func TestUnknownOutcomeOffersNoSecondTry(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(unknown())
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("d")
	b.Type("123")
	submit(b)
	b.CheckShowsAll("Outcome unknown", "check the phone")
	b.CheckHidesAll("enter correct it", "ailed")
	b.Press("enter")
	if b.Dialog() != nil {
		t.Error("the form is there again")
	}
	b.CheckShows(" ?")
	b.Press("i")
	b.CheckShowsAll("UNKNOWN", "check the phone")
}

func TestHangUpNamesTheCall(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.Selected()
	b.Press("x")
	b.CheckShowsAll("Hang up ", "'s call?", "+39 0471 555", "800 100", "Sales Italy", "2026-03-02 10:41:00")
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
	c.CallsText = uitest.TwoCallsJSON
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("x")
	b.CheckShowsAll("+39 0471 555", "+39 02 777", "ringing", "recorded")
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
			c.CallsText = uitest.TwoCallsJSON
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
	b.CheckShowsAll("dial a number", "show the calls", "The service has been down since 10:12.")
	menu := b.Dialog()
	if b.Press("enter"); b.Dialog() != menu {
		t.Error("something was opened that cannot be done")
	}
	b.Press("l")
	b.CheckShows("'s calls")
}

func TestHeaderSaysWhatCanNotBeDone(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 160, 40, pageAgents)
	b.CheckHidesAll("control off", "read-only", "TLS NOT VERIFIED")
	c.Problem, c.IsInsecure = "no answer since 10:12", true
	b.AdvanceClock(time.Second)
	b.CheckShowsAll("control off: no answer since 10:12", "TLS NOT VERIFIED")
}

func TestHelpScrollsToEveryKey(t *testing.T) {
	t.Parallel()
	b := newActing(t, uitest.NewController(done()), 80, 24, pageAgents)
	b.Press("?")
	b.CheckHides("q ctrl+c")
	b.Press("end")
	b.CheckShows("q ctrl+c")
	b.Press("x")
	b.CheckHides("q ctrl+c")
	if b.Dialog() != nil {
		t.Error("the key that closes the help does something else as well")
	}
}

func TestCallsAreReadAgainAfterAnAction(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	b.Press("l", "x", "y")
	b.CheckShows("Bianchi Jürgen's calls")
	if len(c.Changes) != 1 || len(c.Requests) != 2 {
		t.Errorf("done %v, read %v", c.Changes, c.Requests)
	}
}

func TestHangUpWithoutAListedCall(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	c.CallsText = `[]`
	b := newActing(t, c, 80, 24, pageAgents)
	b.Floor.SetAgentState(0, model.Ready, uitest.StartTime())
	b.Publish()
	b.Page().Focused().Table.Select(uitest.AgentName(0))
	b.Press("x")
	b.CheckShowsAll("is not on a call", "esc close")
	b.Press("enter")
	b.CheckShows("Hang up the current call")
	b.Press("esc", "esc")
	b.Floor.SetAgentState(0, model.Busy, uitest.StartTime())
	b.Publish()
	b.Press("x")
	b.CheckShows("Hang up the current call")
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
	b.CheckShows("No answer for 0:12.")
	b.Press("esc", "i")
	b.CheckShows("No answer for 0:12.")
}
