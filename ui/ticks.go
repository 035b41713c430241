package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/panes"
	"wallboard/ui/table"
	"wallboard/ui/task"
)

// ticks are the messages on their way that have the frame drawn once more when
// nobody touches the board: at the end of highlights, and while something moves.
type ticks struct{ flash, move bool }

// flashMsg comes when the first of the highlighted figures is to be drawn
// plainly again.
type flashMsg struct{}

// moveMsg has what moves by itself move on.
type moveMsg struct{}

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

// came notes that a tick has come.
func (t *ticks) came(msg tea.Msg) {
	switch msg.(type) {
	case flashMsg:
		t.flash = false
	case moveMsg:
		t.move = false
	}
}

// nextSecond brings a clockMsg on the next full second of a clock.
func nextSecond(ctx context.Context, now time.Time) tea.Cmd {
	return task.After(ctx, now.Truncate(time.Second).Add(time.Second).Sub(now), clockMsg{})
}
