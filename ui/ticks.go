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

// ticks tracks the pending timers that redraw an idle board: at the end of highlights and
// during animations. A paced board has no timers; it only stores when the next frame is
// due.
type ticks struct {
	flashPending, movePending bool
	next                      time.Time // zero: none is due
	second                    time.Time // server time of the last clock tick
}

// flashMsg ends the highlight of changed figures.
type flashMsg struct{}

// moveMsg advances animations.
type moveMsg struct{}

// dispatch routes timer messages.
func (t *ticks) dispatch(m *Model, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case ClockMsg:
		return m.tickSecond()
	case term.FrameMsg:
		return t.handleFrame(m)
	case evaluateMsg:
		return m.evaluate()
	case flashMsg, moveMsg:
		t.clearTimer(msg)
		m.touch()
	}
	return nil
}

// start starts the timers that the page needs.
func (t *ticks) start(ctx context.Context, p panes.Page) tea.Cmd {
	var cmds []tea.Cmd
	if !t.flashPending && p.Flashing() {
		t.flashPending = true
		cmds = append(cmds, dialog.After(ctx, table.DefaultFlash, flashMsg{}))
	}
	if m, ok := p.(panes.SelfScroller); ok && !t.movePending {
		if d := m.ScrollInterval(); d > 0 {
			t.movePending = true
			cmds = append(cmds, dialog.After(ctx, d, moveMsg{}))
		}
	}
	return tea.Batch(cmds...)
}

// schedule is the counterpart of [ticks.begin] for a paced board.
func (t *ticks) schedule(p panes.Page, now time.Time) {
	if now.Before(t.next) {
		return
	}
	t.next = time.Time{}
	if p.Flashing() {
		t.next = now.Add(table.DefaultFlash)
	}
	if m, ok := p.(panes.SelfScroller); ok {
		if d := m.ScrollInterval(); d > 0 && (t.next.IsZero() || d < table.DefaultFlash) {
			t.next = now.Add(d)
		}
	}
}

// minClockStep is the minimum time between two clock ticks of a paced board whose frames are at
// least a second apart: a second, less the delay of the previous frame.
const minClockStep = 950 * time.Millisecond

// handleFrame handles a frame tick: it takes the newest snapshot and advances the clock. There is
// no tick before the first snapshot.
func (t *ticks) handleFrame(m *Model) (cmd tea.Cmd) {
	sc := m.scene
	if newest := sc.floor.Newest; newest != nil {
		if s := sc.Source.Latest(); s != nil && s.Seq > newest.Seq {
			cmd = m.showSnapshot(s)
		}
	}
	now := sc.Now()
	if at := sc.floor.Server(now); at.Unix() != t.second.Unix() || at.Sub(t.second) >= minClockStep {
		t.second = at
		return tea.Batch(cmd, m.tickSecond())
	}
	if !t.next.IsZero() && !now.Before(t.next) {
		m.touch()
	}
	return cmd
}

// clearTimer clears a timer that has fired.
func (t *ticks) clearTimer(msg tea.Msg) {
	switch msg.(type) {
	case flashMsg:
		t.flashPending = false
	case moveMsg:
		t.movePending = false
	}
}

// nextSecond sends a ClockMsg on the next full second of the server's clock.
func nextSecond(sc *scene) tea.Cmd {
	if sc.paced {
		return nil
	}
	now := sc.floor.Server(sc.Now())
	return dialog.After(sc.Context, term.UntilDue(now, time.Second, 0), ClockMsg{})
}
