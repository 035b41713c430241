package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/paint"
	"wallboard/ui/panes"
	"wallboard/ui/table"
	"wallboard/ui/task"
)

// ticks are the messages on their way that have the frame drawn once more when
// nobody touches the board: at the end of highlights, and while something moves. A board
// that is told when a frame is due has no messages, but knows when the next one would come.
type ticks struct {
	flash, move bool
	next        time.Time // zero: none would
	second      time.Time // when the clock has moved, on the server's
}

// flashMsg comes when the first of the highlighted figures is to be drawn
// plainly again.
type flashMsg struct{}

// moveMsg has what moves by itself move on.
type moveMsg struct{}

// dispatch is that of a board for what comes because it is time.
func (t *ticks) dispatch(m *Model, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case clockMsg:
		return m.second()
	case paint.Due:
		return t.due(m)
	case lookMsg:
		return m.evaluate()
	case flashMsg, moveMsg:
		t.came(msg)
		m.touch()
	}
	return nil
}

// of has the ticks come that a page needs as it is drawn now.
func (t *ticks) of(ctx context.Context, p panes.Page) tea.Cmd {
	var cmds []tea.Cmd
	if !t.flash && p.Flashing() {
		t.flash = true
		cmds = append(cmds, task.After(ctx, table.DefaultFlash, flashMsg{}))
	}
	if m, ok := p.(panes.Mover); ok && !t.move {
		if d := m.Moving(); d > 0 {
			t.move = true
			cmds = append(cmds, task.After(ctx, d, moveMsg{}))
		}
	}
	return tea.Batch(cmds...)
}

// note has the frame drawn once more with one that is due, as [ticks.of] has it.
func (t *ticks) note(p panes.Page, now time.Time) {
	if now.Before(t.next) {
		return
	}
	t.next = time.Time{}
	if p.Flashing() {
		t.next = now.Add(table.DefaultFlash)
	}
	if m, ok := p.(panes.Mover); ok {
		if d := m.Moving(); d > 0 && (t.next.IsZero() || d < table.DefaultFlash) {
			t.next = now.Add(d)
		}
	}
}

// nearly is how long the clock of a board stands at the least where frames are due that
// seldom: a second, but for how late the one before came.
const nearly = 950 * time.Millisecond

// due moves on what of a board goes by the clock, and has it take the newest picture. The
// first comes when it is there.
func (t *ticks) due(m *Model) (cmd tea.Cmd) {
	sc := m.scene
	if newest := sc.floor.Newest; newest != nil {
		if s := sc.Source.Latest(); s != nil && s.Seq > newest.Seq {
			cmd = m.take(s)
		}
	}
	now := sc.Now()
	if at := sc.floor.Server(now); at.Unix() != t.second.Unix() || at.Sub(t.second) >= nearly {
		t.second = at
		return tea.Batch(cmd, m.second())
	}
	if !t.next.IsZero() && !now.Before(t.next) {
		m.touch()
	}
	return cmd
}

// came notes that a tick has come.
func (t *ticks) came(msg tea.Msg) {
	switch msg.(type) {
	case flashMsg:
		t.flash = false
	case moveMsg:
		t.move = false
	}
}

// nextSecond brings a clockMsg on the next full second of the server's clock.
func nextSecond(sc *scene) tea.Cmd {
	if sc.paced {
		return nil
	}
	now := sc.floor.Server(sc.Now())
	return task.After(sc.Context, paint.UntilDue(now, time.Second, 0), clockMsg{})
}
