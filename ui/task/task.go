// Package task is the commands of the board: what runs beside it and brings it a
// message.
package task

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
)

// FailedMsg ends the board: a command panicked.
type FailedMsg struct{ Err error }

// ErrPanic is what every error of a caught panic wraps.
var ErrPanic = errors.New("the board panicked")

// PanicError keeps what a panic said, and where.
func PanicError(r any) error {
	if err, ok := r.(error); ok {
		return fmt.Errorf("%w: %w\n%s", ErrPanic, err, debug.Stack())
	}
	return fmt.Errorf("%w: %v\n%s", ErrPanic, r, debug.Stack())
}

// Guard turns a panic of a command into a [FailedMsg], so that the program ends in
// order: Bubble Tea would print it over the screen before it is restored.
func Guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = FailedMsg{PanicError(r)}
			}
		}()
		return cmd()
	}
}

// After brings a message after a while, or nothing when the context ends.
func After(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return Guard(func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-ctx.Done():
			return nil
		}
	})
}
