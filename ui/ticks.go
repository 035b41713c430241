package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// ticks tracks when an idle board must be drawn again: at the end of highlights and during
// animations. A board has a timer for each of these, except a paced board, which stores when its
// next frame is due.
type ticks struct {
	flashPending, movePending bool      // the timer is running
	nextFrame                 time.Time // time of the next frame of a paced board; zero: none
	lastSecond                time.Time // server time of the last clock tick of a paced board
}

// flashEndMsg ends the highlight of changed figures.
type flashEndMsg struct{}

// animateMsg advances animations.
type animateMsg struct{}

// start returns the command for the timers that the page needs and that are not running yet.
func (t *ticks) start(ctx context.Context, p panes.Page) tea.Cmd {
	var cmds []tea.Cmd
	if !t.flashPending && p.Flashing() {
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

// schedule is the counterpart of [ticks.start] for a paced board: it stores when the next frame is
// due.
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

// clearTimer records that the timer of msg has fired.
func (t *ticks) clearTimer(msg tea.Msg) {
	switch msg.(type) {
	case flashEndMsg:
		t.flashPending = false
	case animateMsg:
		t.movePending = false
	}
}

// minClockStep applies to a paced board with a second or more between two frames. It is the minimum
// time between two clock ticks of such a board, less than a second because the previous frame may
// have been late.
const minClockStep = 950 * time.Millisecond

// secondPassed reports whether a paced board must advance its clock: once in each second of the
// server's clock. at is the time on that clock.
func (t *ticks) secondPassed(at time.Time) bool {
	if at.Unix() == t.lastSecond.Unix() && at.Sub(t.lastSecond) < minClockStep {
		return false
	}
	t.lastSecond = at
	return true
}

// frameIsDue reports whether a paced board must be drawn again now.
func (t *ticks) frameIsDue(now time.Time) bool {
	return !t.nextFrame.IsZero() && !now.Before(t.nextFrame)
}
