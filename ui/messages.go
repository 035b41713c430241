package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/term"
)

// floorMsg is a message about one of the floors of a board, which need not be on the screen.
type floorMsg interface {
	// of returns the floor; nil means the floor on the screen.
	of() *floorState
}

// aboutFloor implements [floorMsg].
type aboutFloor struct{ floor *floorState }

func (a aboutFloor) of() *floorState { return a.floor }

// SnapshotMsg carries a new snapshot to the board.
type SnapshotMsg struct {
	Snapshot *model.Snapshot
	aboutFloor
}

// sourceFailedMsg reports an error of the source of snapshots. It is not sent for the end of the
// board's context.
type sourceFailedMsg struct {
	err error
	aboutFloor
}

// recordingEndedMsg reports an error because of which the recording of a replay cannot be read any
// further.
type recordingEndedMsg struct {
	err error
	aboutFloor
}

// commandFailedMsg reports that a command of a floor has panicked.
type commandFailedMsg struct {
	err error
	aboutFloor
}

// retrySourceMsg makes the board wait for a snapshot again after an error of the source.
type retrySourceMsg struct{ aboutFloor }

// evaluateMsg makes the board evaluate the alerts of a snapshot that is already on the screen.
type evaluateMsg struct{ aboutFloor }

// resultMsg carries a result to the part of the board that has started a command: to the page
// History, a replay, or the connection to other viewers. The board applies the result by calling
// [history.Msg.Arrive].
type resultMsg = history.Msg

// ClockMsg tells the board that a second has passed.
type ClockMsg struct{}

// handle handles a message about the floor.
func (f *floorState) handle(msg floorMsg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapshotMsg:
		return f.showSnapshot(msg.Snapshot)
	case evaluateMsg:
		return f.evaluate()
	case sourceFailedMsg:
		return tea.Batch(f.say("No picture of the floor: "+msg.err.Error()),
			dialog.After(f.scene.Context, retryDelay, retrySourceMsg{aboutFloor{f}}))
	case retrySourceMsg:
		return f.awaitSnapshot()
	case reloadMsg:
		return f.reload(msg.reload)
	case recordingEndedMsg:
		f.board.rewinder.end()
		return f.board.shown.say("The recording cannot be read on: " + msg.err.Error())
	case commandFailedMsg:
		return f.board.fail(f, msg.err)
	}
	return nil
}

// command returns a command that runs run. If run panics, the replay ends if f is its floor, and
// otherwise the board.
func (f *floorState) command(run func() tea.Msg) tea.Cmd {
	guarded := dialog.Guard(run)
	return func() tea.Msg {
		msg := guarded()
		if failed, ok := msg.(dialog.FailedMsg); ok {
			return commandFailedMsg{failed.Err, aboutFloor{f}}
		}
		return msg
	}
}

// awaitSnapshot returns the command that waits for the next snapshot. For a paced board that has a
// snapshot, it returns nil, because the board takes the newest snapshot whenever a frame is due.
func (f *floorState) awaitSnapshot() tea.Cmd {
	sc := f.scene
	newest := sc.floor.Newest
	if sc.Source == nil || sc.Display.paced && newest != nil {
		return nil
	}
	ctx, source, after := sc.Context, sc.Source, uint64(0)
	if newest != nil {
		after = newest.Seq
	}
	return f.command(func() tea.Msg {
		s, err := source.Wait(ctx, after)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return sourceFailedMsg{err, aboutFloor{f}}
		}
		return SnapshotMsg{s, aboutFloor{f}}
	})
}

// requestRepaint returns the message that makes the terminal output the whole frame again.
func requestRepaint() tea.Msg { return term.RepaintMsg{} }
