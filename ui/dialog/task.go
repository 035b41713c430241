package dialog

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
)

// PanicMsg reports that a command has panicked. If a replay started the command, the board ends the
// replay. Otherwise the board quits.
type PanicMsg struct{ Err error }

// ErrPanic is wrapped by the errors that report a recovered panic.
var ErrPanic = errors.New("the board panicked")

// PanicError returns an error for r, the recovered value of a panic. The error message contains the
// stack of the calling goroutine.
func PanicError(r any) error {
	if err, ok := r.(error); ok {
		return fmt.Errorf("%w: %w\n%s", ErrPanic, err, debug.Stack())
	}
	return fmt.Errorf("%w: %v\n%s", ErrPanic, r, debug.Stack())
}

// RecoverPanic returns a command that runs cmd. If cmd panics, the command returns a [PanicMsg], so that
// the program ends properly. Without RecoverPanic, Bubble Tea would print the panic before it restores the
// screen. If cmd is nil, RecoverPanic returns nil.
func RecoverPanic(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = PanicMsg{PanicError(r)}
			}
		}()
		return cmd()
	}
}

// DelayMsg returns a command that waits for the duration d and returns msg. If ctx ends first, the
// command returns nil.
func DelayMsg(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return RecoverPanic(func() tea.Msg {
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
