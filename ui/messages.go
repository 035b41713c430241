package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/snapshot"
)

// SnapshotMsg carries a new snapshot to the board.
type SnapshotMsg struct{ Snapshot *model.Snapshot }

// sourceFailedMsg reports an error of the source while the board's context is alive.
type sourceFailedMsg struct{ err error }

// retryMsg makes the board wait on the source again after an error.
type retryMsg struct{}

// evaluateMsg makes the board evaluate a snapshot that it has already drawn.
type evaluateMsg struct{}

// resultMsg is the result of a command that knows how to apply itself: results for the page
// History and from recordings.
type resultMsg = history.Msg

// ClockMsg tells the board that a second has passed.
type ClockMsg struct{}

// nextSnapshot waits for a snapshot newer than newest, which may be nil.
func nextSnapshot(ctx context.Context, src snapshot.Source, newest *model.Snapshot) tea.Cmd {
	if src == nil {
		return nil
	}
	after := uint64(0)
	if newest != nil {
		after = newest.Seq
	}
	return dialog.Guard(func() tea.Msg {
		s, err := src.Wait(ctx, after)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return sourceFailedMsg{err}
		}
		return SnapshotMsg{s}
	})
}
