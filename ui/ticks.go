package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/table"
	"wallboard/ui/term"
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

// dispatch handles the messages of timers and frame ticks.
func (t *ticks) dispatch(m *Model, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case ClockMsg:
		return m.tickSecond()
	case term.FrameMsg:
		return t.handleFrame(m)
	case evaluateMsg:
		return m.evaluate()
	case flashEndMsg, animateMsg:
		t.clearTimer(msg)
		m.invalidate()
	}
	return nil
}

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

// minClockStep applies to a paced board with a second or more between two frames. It is the minimum
// time between two clock ticks of such a board, less than a second because the previous frame may
// have been late.
const minClockStep = 950 * time.Millisecond

// handleFrame handles a frame tick of a paced board: it takes a newer snapshot and, once a second,
// advances the clock.
func (t *ticks) handleFrame(m *Model) (cmd tea.Cmd) {
	sc := m.scene
	if newest := sc.floor.Newest; newest != nil {
		if s := sc.Source.Latest(); s != nil && s.Seq > newest.Seq {
			cmd = m.showSnapshot(s)
		}
	}
	now := sc.Now()
	if at := sc.floor.ToServerTime(now); at.Unix() != t.lastSecond.Unix() || at.Sub(t.lastSecond) >= minClockStep {
		t.lastSecond = at
		return tea.Batch(cmd, m.tickSecond())
	}
	if !t.nextFrame.IsZero() && !now.Before(t.nextFrame) {
		m.invalidate()
	}
	return cmd
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

// waitSecond returns the command that sends a ClockMsg on the next full second of the server's
// clock. It returns nil for a paced board, which needs no ClockMsg.
func waitSecond(sc *scene) tea.Cmd {
	if sc.Display.paced {
		return nil
	}
	now := sc.floor.ToServerTime(sc.Now())
	return dialog.After(sc.Context, term.UntilDue(now, time.Second, 0), ClockMsg{})
}
