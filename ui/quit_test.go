package ui

import (
	"testing"

	"wallboard/ui/pages"
)

// hangingUp returns a board with a running action, and a function that ends it.
func hangingUp(t *testing.T) (b *board, arrive func()) {
	b = newActing(t, newFloorController(done()), 80, 24, pages.Agents)
	b.press("x")
	return b, b.later("y")
}

func TestQuittingAsksWhileAnActionIsUnderWay(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{{"esc", "q"}, {"esc", "ctrl+c"}, {"ctrl+c"}} {
		b, arrive := hangingUp(t)
		b.press(keys...)
		b.says("Work is still in progress.", "Hang up: Bianchi Jürgen")
		b.press("n")
		if b.HasQuit {
			t.Fatalf("%q: the board has ended", keys)
		}
		arrive()
		b.press("q")
		if !b.HasQuit {
			t.Errorf("%q: q does not quit", keys)
		}
	}
}

// TestQuittingAsksAboutWhatWasTyped checks that unsent text prevents quitting.
func TestQuittingAsksAboutWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 100, 40, pages.Agents)
	b.press("d", "5", "5", "5", "ctrl+c")
	b.says("Work is still in progress.", "not sent: Dial")
	b.press("n", "6")
	if b.HasQuit {
		t.Fatal("the board has ended")
	}
	b.shows("5556")
	b.press("ctrl+c", "ctrl+c")
	if !b.HasQuit {
		t.Error("a second ctrl+c does not quit")
	}
}

func TestSecondInterruptQuits(t *testing.T) {
	t.Parallel()
	b, _ := hangingUp(t)
	b.press("ctrl+c", "ctrl+c")
	if !b.HasQuit {
		t.Error("the board stays")
	}
}

// TestQuestionAboutQuittingGoesWithItsReason checks that the question disappears with its reason, and
// that a late enter does not reach the board.
func TestQuestionAboutQuittingGoesWithItsReason(t *testing.T) {
	t.Parallel()
	b, arrive := hangingUp(t)
	b.press("esc", "q")
	arrive()
	if b.dialogs.Top() != nil {
		t.Errorf("the question is still asked:\n%s", b.text())
	}
	b.press("enter")
	if b.pages.TopDetail() != nil {
		t.Error("enter fell through")
	}
}
