package ui

import (
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/pages"
)

// newActing opens a page of a board with a controller.
func newActing(t testing.TB, c platform, w, h int, page pages.ID, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, w, h, append([]func(*Options){func(o *Options) { o.Actions.Controller = controllerOf(c) }}, change...)...)
	b.press(strconv.Itoa(int(page) + 1))
	return b
}

func unknown() words.ActionReport {
	return words.ActionReport{Outcome: resource.OutcomeUnknown, Text: words.Name("Nobody knows whether it rings: check the phone.")}
}

func (f *testFloor) agentOn(i int, s model.UserStatus, since time.Time) { f.SetAgentState(i, s, since) }

// tooLate is an error message from the platform.
const tooLate = "Too late."

func done() words.ActionReport {
	return words.ActionReport{Outcome: resource.OutcomeConfirmed, Text: words.Name("It is done.")}
}

// newDesk opens a board with a dialog of the palette.
func newDesk(t testing.TB, c *deskController, w, h int, name string, change ...func(*Options)) *board {
	t.Helper()
	b := newBoard(t, w, h, append([]func(*Options){func(o *Options) { o.Actions.Controller = controllerOf(c) }}, change...)...)
	b.desk(name)
	return b
}

// desk runs a command of the palette.
func (b *board) desk(name string) {
	b.t.Helper()
	_, anywhere := b.actions.Commands(floorview.Target{})
	for _, c := range anywhere {
		if c.Name == name {
			b.run(c.Run())
			b.send(tea.WindowSizeMsg{Width: b.width, Height: b.height})
			return
		}
	}
	b.t.Fatalf("no command %q", name)
}

// submit presses the button of the form.
func (b *board) submit() { b.send(tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl}) }

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
	b.shows("no command matches")
}

// TestHeldEnterDoesNothingMore checks that a held enter neither submits the form nor acts on the board.
func TestHeldEnterDoesNothingMore(t *testing.T) {
	t.Parallel()
	c := newFloorController(words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name("No.")})
	b := newActing(t, c, 80, 24, pages.Agents)
	b.press("d")
	b.words("123")
	b.submit()
	for range 20 {
		b.press("enter")
		b.pass(dialog.DoublePress / 2)
	}
	b.shows("Dial for ")
	b.press("4") // the digit is appended to the number in the form
	b.shows("1234")
	if len(c.Changes) != 1 {
		t.Errorf("dialed %d times", len(c.Changes))
	}
	b.press("esc", "enter", "esc", "y", "y")
	b.pass(dialog.DoublePress)
	b.press("enter")
	if b.dialogs.Top() != nil || b.pages.TopDetail() == nil {
		t.Errorf("the board is stuck:\n%s", b.text())
	}
}

func TestStartOfARunningCampaign(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Campaigns)
	b.pages.CurrentPage().Focused().Table.Select("7002")
	b.press("d")
	b.shows("is already running. Start it once more?")
	arrive := b.later("y")
	moved := *b.floor.Campaigns.Get(7002)
	moved.StartedCalls = known(moved.StartedCalls.Or(0) + 3)
	b.floor.Campaigns.Put(&moved)
	b.publish() // more started calls are not the start of the campaign
	if got := b.actions.PendingMarks().Campaigns["7002"].Glyph; got != "◌" {
		t.Errorf("the feed has made it %s", got)
	}
	arrive()
	if got := b.actions.PendingMarks().Campaigns["7002"].Glyph; got != "✓" {
		t.Errorf("the platform's word has made it %s", got)
	}
}

func TestDeskIsInThePalette(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, func(o *Options) { o.Actions.Controller = controllerOf(&deskController{}) })
	b.press(":")
	b.words("send a text message")
	b.press("enter")
	b.shows("To number")
	_, anywhere := b.actions.Commands(floorview.Target{})
	for _, c := range newBoard(t, 80, 24).commands() {
		for _, d := range anywhere {
			if c.Name == d.Name {
				t.Errorf("%q is offered on a board that can only look", c.Name)
			}
		}
	}
}

// TestDeskFrames checks that every frame fits and contains no control sequences, whatever the platform
// sends and the viewer types.
func TestDeskFrames(t *testing.T) {
	t.Parallel()
	names := []string{"send a text message", "search tickets", "read a chat", "open a contact", "search lists", "add a run", "add items to a list"}
	keys := []string{"enter", "tab", "shift+tab", "up", "down", "pgdown", "pgup", "home", "end", "e", "d", "n", "y", "r", "i", "esc", "space", "7"}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(40, 140).Draw(rt, "w"), rapid.IntRange(12, 40).Draw(rt, "h")
		b := newDesk(t, &deskController{Report: done()}, w, h, rapid.SampledFrom(names).Draw(rt, "name"), func(o *Options) {
			o.Display.ASCII = rapid.Bool().Draw(rt, "ascii")
		})
		b.fill(hostileName().Draw(rt, "typed"), hostileName().Draw(rt, "typed"))
		b.submit()
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 20).Draw(rt, "keys") {
			b.press(k)
			b.checkFrame(rt, w, h)
		}
	})
}

func TestDialogsArePainted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"light", "dark"} {
		for _, keys := range [][]string{{"a"}, {"d", "1"}, {"x"}, {"l"}, {"x", "y"}, {"x", "y", "enter", "i"}} {
			b := newActing(t, newFloorController(unknown()), 80, 24, pages.Agents, func(o *Options) { o.Display.Theme = mustTheme(t, name) })
			b.press(keys...)
			b.painted()
		}
	}
}
