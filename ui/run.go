package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/term"
)

// Run shows a board until the viewer quits or ctx ends; neither is an error. It always
// restores the terminal. A panic in the board or its commands is returned as an error with
// the stack.
func Run(ctx context.Context, o Options, programOptions ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the commands

	o.Context = ctx
	m := NewViewer(o)
	// Signals end ctx. Bubble Tea's own handler would block forever when it sends to a
	// program whose loop has ended, and the program would wait for it.
	err := term.Run(ctx, local{served{m}}, term.Terminal{Out: o.Output, Interval: o.Refresh}, append([]tea.ProgramOption{tea.WithoutSignalHandler()}, programOptions...)...)
	switch {
	case m.failure() != nil:
		return m.failure()
	case err != nil:
		return fmt.Errorf("show the board: %w", err)
	}
	return nil
}

// local is the board on the process's own terminal.
type local struct{ served }

// CanWait implements [term.ServedModel]. A replay draws each snapshot.
func (m local) CanWait(msg tea.Msg) bool {
	return m.replay == nil && m.live.replay == nil && m.served.CanWait(msg)
}

// Update implements [tea.Model].
func (m local) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := m.served.Update(msg)
	return m, cmd
}
