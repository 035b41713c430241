package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/snapshot"
	"wallboard/ui/term"
)

// SnapshotMsg carries a new snapshot to the board.
type SnapshotMsg struct{ Snapshot *model.Snapshot }

// sourceFailedMsg reports an error of the source of snapshots. It is not sent for the end of the
// board's context.
type sourceFailedMsg struct{ err error }

// retrySourceMsg makes the board wait for a snapshot again after an error of the source.
type retrySourceMsg struct{}

// evaluateMsg makes the board evaluate the alerts of a snapshot that is already on the screen.
type evaluateMsg struct{}

// resultMsg carries the result of a command of the page History or of a replay. The board applies
// the result by calling [history.Msg.Arrive].
type resultMsg = history.Msg

// ClockMsg tells the board that a second has passed.
type ClockMsg struct{}

// waitSnapshot returns the command that waits for a snapshot newer than newest. If newest is nil,
// it waits for any snapshot.
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

// requestRepaint returns the message that makes the terminal output the whole frame again.
func requestRepaint() tea.Msg { return term.RepaintMsg{} }
