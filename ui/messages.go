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

// retrySourceMsg makes the board wait on the source again after an error.
type retrySourceMsg struct{}

// evaluateMsg makes the board evaluate a snapshot that it has already drawn.
type evaluateMsg struct{}

// resultMsg is the result of a command for the page History or a replay; [history.Msg.Arrive] applies
// it.
type resultMsg = history.Msg

// ClockMsg tells the board that a second has passed.
type ClockMsg struct{}

// waitSnapshot returns the command that waits for a snapshot newer than newest, which may be nil.
func waitSnapshot(ctx context.Context, src snapshot.Source, newest *model.Snapshot) tea.Cmd {
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
