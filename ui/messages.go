package ui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
)

// snapshotMsg brings the newest picture of the floor.
type snapshotMsg struct{ snapshot *model.Snapshot }

// sourceFailedMsg tells that the source gave an error although the board's
// context still runs.
type sourceFailedMsg struct{ err error }

// retryMsg asks to wait on the source again after it failed.
type retryMsg struct{}

// clockMsg comes once a second.
type clockMsg struct{}

// flashMsg comes when the first of the highlighted figures is to be drawn
// plainly again.
type flashMsg struct{}

// noticeOverMsg comes when a message in the footer has been there long enough;
// id reports whether it is still that message.
type noticeOverMsg struct{ id uint64 }

// failedMsg ends the board: a command panicked.
type failedMsg struct{ err error }

// waitSnapshot waits for a snapshot that is newer than the one with number
// after.
func waitSnapshot(ctx context.Context, src SnapshotSource, after uint64) tea.Cmd {
	return guard(func() tea.Msg {
		s, err := src.Wait(ctx, after)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return sourceFailedMsg{err}
		}
		return snapshotMsg{s}
	})
}

// after brings a message after a while, or nothing when the context ends.
func after(ctx context.Context, d time.Duration, msg tea.Msg) tea.Cmd {
	return guard(func() tea.Msg {
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

// errPanic is what every error of a caught panic wraps.
var errPanic = errors.New("the board panicked")

// panicError keeps what a panic said, and where.
func panicError(r any) error {
	if err, ok := r.(error); ok {
		return fmt.Errorf("%w: %w\n%s", errPanic, err, debug.Stack())
	}
	return fmt.Errorf("%w: %v\n%s", errPanic, r, debug.Stack())
}

// guard turns a panic of a command into a message, so that the program ends in
// order: Bubble Tea would print it over the screen before it is restored.
func guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = failedMsg{panicError(r)}
			}
		}()
		return cmd()
	}
}
