package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// ticks tracks when a board without new data must be drawn again: at the end of highlights and
// during animations. A paced board stores the time of its next frame. All other boards have one
// timer for highlights and one for animations.
type ticks struct {
	flashPending, movePending bool      // the timer for highlights or for animations is running
	nextFrame                 time.Time // time of the next frame of a paced board; zero: none
	lastSecond                time.Time // server time of the last clock tick of a paced board
}

// flashEndMsg ends the highlighting of changed figures.
type flashEndMsg struct{}

// animateMsg moves animations on by one step.
type animateMsg struct{}

// start starts the timers that the page needs, unless they are running. It returns their command.
// refresh is the interval between frames. If it is a second or more, highlights need no timer: the
// clock tick of the next frame draws the board without them.
func (t *ticks) start(ctx context.Context, p panes.Page, refresh time.Duration) tea.Cmd {
	var cmds []tea.Cmd
	if !t.flashPending && refresh < time.Second && p.Flashing() {
		t.flashPending = true
		cmds = append(cmds, dialog.After(ctx, table.DefaultFlash, flashEndMsg{}))
	}
	if m, ok := p.(panes.SelfScroller); ok && !t.movePending {
		if d := m.ScrollInterval(); d > 0 {
			t.movePending = true
			cmds = append(cmds, dialog.After(ctx, d, animateMsg{}))
		}
	}
	return tea.Batch(cmds...)
}

// schedule stores when the next frame of a paced board is due. It is the counterpart of
// [ticks.start], which serves all other boards.
func (t *ticks) schedule(p panes.Page, now time.Time) {
	if now.Before(t.nextFrame) {
		return
	}
	t.nextFrame = time.Time{}
	if p.Flashing() {
		t.nextFrame = now.Add(table.DefaultFlash)
	}
	if m, ok := p.(panes.SelfScroller); ok {
		if d := m.ScrollInterval(); d > 0 && (t.nextFrame.IsZero() || d < table.DefaultFlash) {
			t.nextFrame = now.Add(d)
		}
	}
}

// clearTimer records that the timer that sent msg has fired.
func (t *ticks) clearTimer(msg tea.Msg) {
	switch msg.(type) {
	case flashEndMsg:
		t.flashPending = false
	case animateMsg:
		t.movePending = false
	}
}

// minClockStep is the minimum time between two clock ticks of a paced board whose frames are a
// second or more apart. It is less than a second because the previous frame may have been late.
const minClockStep = 950 * time.Millisecond

// secondPassed reports whether a paced board must advance its clock, which happens once in each
// second of the server's clock. at is the current time on the server's clock.
func (t *ticks) secondPassed(at time.Time) bool {
	if at.Unix() == t.lastSecond.Unix() && at.Sub(t.lastSecond) < minClockStep {
		return false
	}
	t.lastSecond = at
	return true
}

// frameIsDue reports whether a paced board must be drawn again at the time now.
func (t *ticks) frameIsDue(now time.Time) bool {
	return !t.nextFrame.IsZero() && !now.Before(t.nextFrame)
}
