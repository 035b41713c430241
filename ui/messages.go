package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/term"
)

// floorMsg is a message about one of the floors of a board. The floor may be hidden.
type floorMsg interface {
	// targetFloor returns the floor; nil means the floor on the screen.
	targetFloor() *floorState
}

// floorTarget implements [floorMsg].
type floorTarget struct{ floor *floorState }

func (a floorTarget) targetFloor() *floorState { return a.floor }

// SnapshotMsg carries a new snapshot to the board.
type SnapshotMsg struct {
	Snapshot *model.Snapshot
	floorTarget
}

// sourceFailedMsg reports an error of the source of snapshots. It is not sent when the board's
// context ends.
type sourceFailedMsg struct {
	err error
	floorTarget
}

// recordingEndedMsg reports the error that ended a replay's reading of its recording.
type recordingEndedMsg struct {
	err error
	floorTarget
}

// floorResultMsg carries the result of a command to the floor that started the command: a
// [dialog.AnswerMsg], a [dialog.NoticeMsg], a [dialog.PanicMsg] or a [resultMsg].
type floorResultMsg struct {
	result tea.Msg
	floorTarget
}

// retrySourceMsg makes the board wait for a snapshot again after an error of the source.
type retrySourceMsg struct{ floorTarget }

// evaluateMsg makes the board evaluate the alerts of a snapshot that is already on the screen.
type evaluateMsg struct{ floorTarget }

// resultMsg carries a result to the part of the board that started a command: the page History, a
// replay, or the connection to other viewers. The board applies the result by calling
// [history.Msg.Apply].
type resultMsg = history.Msg

// ClockMsg tells the board that a second has passed.
type ClockMsg struct{}

// animateMsg ends highlights and advances animations by one step, on a board that is not paced.
type animateMsg struct{}

// receive handles a message for the floor. If the floor belongs to a replay that has ended, receive
// only shows notices, such as the path of a saved file.
func (f *floorState) receive(msg floorMsg) tea.Cmd {
	if f.board.hasFloor(f) {
		return f.handle(msg)
	}
	if result, ok := msg.(floorResultMsg); ok {
		if notice, ok := result.result.(dialog.NoticeMsg); ok {
			return f.board.shownFloor.showMessage(notice.Text)
		}
	}
	return nil
}

// handle handles a message about the floor.
func (f *floorState) handle(msg floorMsg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapshotMsg:
		return f.showSnapshot(msg.Snapshot)
	case evaluateMsg:
		return f.evaluate()
	case sourceFailedMsg:
		return tea.Batch(f.showMessage(f.scene.translate(words.BoardNoPicture(words.TextOf(msg.err)))),
			dialog.DelayMsg(f.scene.Context, retryDelay, retrySourceMsg{floorTarget{f}}))
	case retrySourceMsg:
		return f.awaitSnapshot()
	case reloadMsg:
		return f.reload(msg.reload)
	case recordingEndedMsg:
		f.board.rewinder.end()
		return f.board.shownFloor.showMessage(f.scene.translate(words.BoardRecordingBroken(words.TextOf(msg.err))))
	case floorResultMsg:
		return f.handleResult(msg.result)
	}
	return nil
}

// handleResult handles a result of a command. The result may change the screen even if the floor
// is hidden: the page Sites shows all platforms, and a replay shows the messages of other viewers.
func (f *floorState) handleResult(result tea.Msg) tea.Cmd {
	switch msg := result.(type) {
	case dialog.PanicMsg:
		return f.board.fail(f, msg.Err)
	case dialog.NoticeMsg:
		return f.showMessage(msg.Text)
	}
	f.invalidate()
	f.board.shownFloor.invalidate()
	switch msg := result.(type) {
	case dialog.AnswerMsg:
		cmd, _ := f.dialogs.DeliverAnswer(msg)
		return cmd
	case resultMsg:
		return msg.Apply()
	}
	return nil
}

// routeResult returns a command that runs cmd and sends its results to the floor f, even if f is
// hidden by then. If cmd is nil, routeResult returns nil.
func (f *floorState) routeResult(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			out := make(tea.BatchMsg, len(msg))
			for i, c := range msg {
				out[i] = f.routeResult(c)
			}
			return out
		case dialog.AnswerMsg, dialog.NoticeMsg, dialog.PanicMsg, resultMsg:
			return floorResultMsg{msg, floorTarget{f}}
		default:
			return msg
		}
	}
}

// awaitSnapshot returns a command that waits for the next snapshot. It returns nil if there is no
// source. It also returns nil for a paced board that has a snapshot, because such a board takes the
// newest snapshot whenever a frame is due.
func (f *floorState) awaitSnapshot() tea.Cmd {
	sc := f.scene
	newest := sc.floor.Newest
	if sc.Source == nil || sc.Display.frameDriven && newest != nil {
		return nil
	}
	ctx, source, after := sc.Context, sc.Source, uint64(0)
	if newest != nil {
		after = newest.Seq
	}
	return dialog.RecoverPanic(func() tea.Msg {
		s, err := source.Wait(ctx, after)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return sourceFailedMsg{err, floorTarget{f}}
		}
		return SnapshotMsg{s, floorTarget{f}}
	})
}

// requestRepaint returns a message that makes the terminal output the whole frame again.
func requestRepaint() tea.Msg { return term.RepaintMsg{} }
