package ui

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/uitest"
)

// newActing opens a page of a board with a controller.
func newActing(t testing.TB, c platform, w, h int, page pageID, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, w, h, append([]func(*Options){func(o *Options) { o.Controller = controllerOf(c) }}, change...)...)
	b.press(itoa(int(page) + 1))
	return b
}

func unknown() resource.Report {
	return resource.Report{Outcome: resource.Unknown, Text: "Nobody knows whether it rings: check the phone."}
}

// agentOn sets an agent's state on calls since a time.
func (f *testFloor) agentOn(i int, s model.UserStatus, since time.Time) {
	key := model.UserStatKey{Username: agentName(i), Channel: model.Call}
	r := *f.UserStats.Get(key)
	r.Status, r.TimeInState = s, model.InstantOf(since)
	f.UserStats.Put(&r)
}

func TestReadOnlyBoardKnowsNoAction(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4")
	b.shows("read-only")
	for _, k := range []string{"a", "d", "x", "v", "l", "e", "i"} {
		b.press(k)
		if b.dialogs.Top() != nil {
			t.Errorf("%s does something:\n%s", k, b.text())
		}
		b.shows("This board is read-only")
		b.notice.Text = ""
	}
	b.press("?")
	b.hides("hang up")
	b.press("esc", ":")
	b.words("my actions")
	b.shows("nothing is called")
}

func TestDial(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.selected()
	b.press("d")
	b.shows("Dial for ")
	b.fill("+39 0471 123", "SRV01")
	b.submit()
	want := resource.Dial{Number: "+39 0471 123", ServiceCode: "SRV01", Username: who}
	if diff := cmp.Diff(want, did[resource.Dial](t, c.Desk)); diff != "" {
		t.Error(diff)
	}
	if b.dialogs.Top() != nil {
		t.Error("a dialog is left over")
	}
	b.shows("It is done.")
	b.shows(" ◌") // the platform has said so, the feed has not
}

func TestDialSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := newFloorController(resource.Report{Outcome: resource.Rejected, Text: "Anna has no phone logged in."})
	b := newActing(t, c, 80, 24, pageAgents)
	b.press("d")
	b.words("abc")
	b.shows("write a phone number")
	b.submit()
	if len(c.Did) != 0 {
		t.Fatal("what is no number was dialed")
	}
	b.press("backspace", "backspace", "backspace")
	b.words("123")
	b.submit()
	b.says("Rejected", "Anna has no phone logged in.", "enter correct it")
	b.press("enter")
	b.says("Dial for ", "123")
	b.press("esc")
	b.shows("would be lost")
	b.press("y")
	b.hides("Dial for ")
	b.shows(" ✗")
}

func TestUnknownOutcomeOffersNoSecondTry(t *testing.T) {
	t.Parallel()
	c := newFloorController(unknown())
	b := newActing(t, c, 80, 24, pageAgents)
	b.press("d")
	b.words("123")
	b.submit()
	b.says("Not known whether it happened", "check the phone")
	b.lacks("enter correct it", "ailed")
	b.press("enter")
	if b.dialogs.Top() != nil {
		t.Error("the form is there again")
	}
	b.shows(" ?")
	b.press("i")
	b.says("UNKNOWN", "check the phone")
}

func TestHangUpNamesTheCall(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 120, 40, pageAgents)
	who := b.selected()
	b.press("x")
	b.says("Hang up this call of", "+39 0471 555", "800 100", "Sales Italy", "2026-03-02 10:41:00")
	b.press("x", "enter") // the same key again, and the button that does nothing
	if len(c.Did) != 0 {
		t.Fatalf("%v was done", c.Did)
	}
	b.press("esc", "x", "y")
	want := resource.HangUp{CallID: "call-1", Username: who}
	if diff := cmp.Diff(want, did[resource.HangUp](t, c.Desk)); diff != "" {
		t.Error(diff)
	}
}

func TestOneOfSeveralCallsIsChosen(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	c.CallsText = uitest.TwoCalls
	b := newActing(t, c, 80, 24, pageAgents)
	b.press("x")
	b.says("+39 0471 555", "+39 02 777", "ringing", "recorded")
	b.press("down", "enter", "y")
	if got := did[resource.HangUp](t, c.Desk); got.CallID != "call-2" {
		t.Errorf("%+v was hung up", got)
	}
}

func TestRecording(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		keys []string
		want any
	}{
		"start":           {[]string{"v", "down", "enter", "y"}, resource.Recording{Username: agentName(0), CallID: "call-2"}},
		"stop":            {[]string{"v", "enter", "y"}, "stop call-1"},
		"from the calls":  {[]string{"l", "w", "y"}, "stop call-1"},
		"not on the menu": {[]string{"a", "esc"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newFloorController(done())
			c.CallsText = uitest.TwoCalls
			b := newActing(t, c, 80, 24, pageAgents)
			b.pages.page().Focused().Table.Select(agentName(0))
			b.press(tt.keys...)
			var got any
			if len(c.Did) > 0 {
				got = c.Did[0]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMenuSaysWhyNot(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	c.Refused = "The service has been down since 10:12."
	b.press("a")
	b.says("dial a number", "show the calls", "The service has been down since 10:12.")
	b.press("enter")
	if b.dialogs.Len() != 1 {
		t.Error("something was opened that cannot be done")
	}
	b.press("l")
	b.shows("Calls of ")
}

func TestHeaderSaysWhatCanNotBeDone(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 160, 40, pageAgents)
	b.lacks("control off", "read-only", "TLS NOT VERIFIED")
	c.Problem, c.IsInsecure = "no answer since 10:12", true
	b.pass(time.Second)
	b.says("control off: no answer since 10:12", "TLS NOT VERIFIED")
}

func TestHelpScrollsToEveryKey(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 80, 24, pageAgents)
	b.press("?")
	b.hides("q ctrl+c")
	b.press("end")
	b.shows("q ctrl+c")
	b.press("x")
	b.hides("q ctrl+c")
	if b.dialogs.Top() != nil {
		t.Error("the key that closes the help does something else as well")
	}
}

func TestCallsAreReadAgainAfterAnAction(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 80, 24, pageAgents)
	b.press("l", "x", "y")
	b.shows("Calls of Bianchi Jürgen")
	if len(c.Did) != 1 || len(c.Asked) != 2 {
		t.Errorf("done %v, read %v", c.Did, c.Asked)
	}
}

// A held enter must neither submit the form nor act on the board.
func TestHeldEnterDoesNothingMore(t *testing.T) {
	t.Parallel()
	c := newFloorController(resource.Report{Outcome: resource.Rejected, Text: "No."})
	b := newActing(t, c, 80, 24, pageAgents)
	b.press("d")
	b.words("123")
	b.submit()
	for range 20 {
		b.press("enter")
		b.pass(dialog.DoublePress / 2)
	}
	b.shows("Dial for ")
	b.press("4") // typed into the number
	b.shows("1234")
	if len(c.Did) != 1 {
		t.Errorf("dialed %d times", len(c.Did))
	}
	b.press("esc", "enter", "esc", "y", "y")
	b.pass(dialog.DoublePress)
	b.press("enter")
	if b.dialogs.Top() != nil || len(b.pages.details[b.pages.current]) != 1 {
		t.Errorf("the board is stuck:\n%s", b.text())
	}
}

func TestHangUpWithoutAListedCall(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	c.CallsText = `[]`
	b := newActing(t, c, 80, 24, pageAgents)
	b.floor.agentOn(0, model.Ready, startTime())
	b.publish()
	b.pages.page().Focused().Table.Select(agentName(0))
	b.press("x")
	b.says("is not on a call", "esc close")
	b.press("enter")
	b.shows("Hang up whatever call there is?")
	b.press("esc", "esc")
	b.floor.agentOn(0, model.Busy, startTime())
	b.publish()
	b.press("x")
	b.shows("Hang up whatever call there is?")
	b.press("n")
	if b.dialogs.Top() != nil || len(c.Did) != 0 {
		t.Errorf("asked twice, or done: %v", c.Did)
	}
}

func TestSlowAnswerIsNamed(t *testing.T) {
	t.Parallel()
	b, _ := hangingUp(t)
	b.pass(12 * time.Second)
	b.shows("No answer yet, for 0:12 now.")
	b.press("esc", "i")
	b.shows("No answer yet, for 0:12 now.")
}
