package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/paint"
)

// Run shows a board until the viewer quits or ctx ends; neither is an error.
// The terminal is restored in every case. A panic anywhere in the board, its
// commands included, is returned as an error that holds the stack.
func Run(ctx context.Context, o Options, programOptions ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // the commands end with the board

	o.Context = ctx
	m := NewViewer(o)
	// Signals end ctx. A handler beside that hands one to a program whose loop is
	// over would never return, and the program would wait for it.
	err := paint.Run(ctx, local{served{m}}, paint.Terminal{Out: o.Output, Every: o.Refresh}, append([]tea.ProgramOption{tea.WithoutSignalHandler()}, programOptions...)...)
	switch {
	case m.failed() != nil:
		return m.failed()
	case err != nil:
		return fmt.Errorf("show the board: %w", err)
	}
	return nil
}

// local is a board as who sits before it is shown it.
type local struct{ served }

// Patient implements [paint.Served]. Who has a recording played sees each picture of it.
func (m local) Patient(msg tea.Msg) bool {
	return m.past == nil && m.live.reel == nil && m.served.Patient(msg)
}

// Update implements [tea.Model].
func (m local) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := m.served.Update(msg)
	return m, cmd
}
