package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/term"
)

// Run shows a board until the viewer quits or ctx ends, and then returns nil. It restores the
// terminal before it returns. If the options cannot be used, Run returns an error. If the board or
// one of its commands panics, the error contains the stack.
func Run(ctx context.Context, o Options, programOptions ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the commands of the board

	o.Context = ctx
	m := New(o)
	// A signal ends ctx, which ends the program. Bubble Tea's own signal handler is off: it would
	// block forever when it sends to a program whose loop has ended, and the program would wait for
	// the handler.
	err := term.Run(ctx, localBoard{servedBoard{m}}, term.Terminal{Out: o.Display.Output, Interval: o.Display.Refresh}, append([]tea.ProgramOption{tea.WithoutSignalHandler()}, programOptions...)...)
	if save := m.viewSaver.save(); save != nil {
		save() // saves changes of the last second
	}
	switch {
	case m.failure != nil:
		return m.failure
	case err != nil:
		return fmt.Errorf("show the board: %w", err)
	}
	return nil
}

// localBoard is the board on the terminal of the process.
type localBoard struct{ servedBoard }

// CanDeferDraw implements [term.ServedModel]. During a replay it returns false, so that every snapshot
// is drawn. It also returns false for snapshots of a feed that is not live yet after the start.
func (m localBoard) CanDeferDraw(msg tea.Msg) bool {
	if m.shownFloor.replay != nil || !m.servedBoard.CanDeferDraw(msg) {
		return false
	}
	_, isSnapshot := msg.(SnapshotMsg)
	return !isSnapshot || !m.floorOf(msg).scene.floor.Newest.Health.IsStarting()
}

// Update implements [tea.Model].
func (m localBoard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := m.servedBoard.Update(msg)
	return m, cmd
}
