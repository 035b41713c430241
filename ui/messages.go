package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/history"
	"wallboard/ui/task"
)

// snapshotMsg brings the newest picture of the floor.
type snapshotMsg struct{ snapshot *model.Snapshot }

// sourceFailedMsg tells that the source gave an error although the board's
// context still runs.
type sourceFailedMsg struct{ err error }

// retryMsg asks to wait on the source again after it failed.
type retryMsg struct{}

// lookMsg has the board say what is wrong in a picture that it has drawn already.
type lookMsg struct{}

// arriving is what was asked for beside the board, and knows what becomes of it: of the page
// History, and of what looks into a recording.
type arriving = history.Msg

// clockMsg comes once a second.
type clockMsg struct{}

// nextSnapshot waits for a snapshot that is newer than the newest, nil for none.
func nextSnapshot(ctx context.Context, src SnapshotSource, newest *model.Snapshot) tea.Cmd {
	if src == nil {
		return nil
	}
	after := uint64(0)
	if newest != nil {
		after = newest.Seq
	}
	return task.Guard(func() tea.Msg {
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
