package ui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// FPS is how often a changed frame is written at most, per second. Below 30 a
// key feels slow; above it an idle board wakes up more often for nothing.
const FPS = 30

// Run shows a board until the viewer quits or ctx ends; neither is an error.
// The terminal is restored in every case. A panic anywhere in the board, its
// commands included, is returned as an error that holds the stack.
func Run(ctx context.Context, o Options, programOptions ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // the commands end with the board

	o.Context = ctx
	m := New(o)
	// Signals end ctx. A handler beside that hands one to a program whose loop is
	// over would never return, and the program would wait for it.
	p := tea.NewProgram(m, append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(FPS), tea.WithoutSignalHandler()}, programOptions...)...)
	_, err := p.Run()
	switch {
	case m.failure != nil:
		return m.failure
	case err == nil, ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil
	}
	return fmt.Errorf("show the board: %w", err)
}
