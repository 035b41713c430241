package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/replay"
)

// rewinder switches the screen of a board from the live floor to a recorded one and back.
type rewinder struct {
	board        *Model
	cancelReplay context.CancelFunc // nil: no replay
	pending      *rewindRequest     // request that waits for a recording; nil: none
}

const (
	// rewindRetryInterval is how often the board checks whether the requested instant has been
	// recorded.
	rewindRetryInterval = 500 * time.Millisecond
	// rewindRetryLimit is how long the board checks for the requested instant. Later, the viewer may
	// have forgotten the request.
	rewindRetryLimit = time.Minute
)

// rewindRequest is a request to replay an instant that has not been recorded yet.
type rewindRequest struct {
	instant      time.Time // the requested instant; zero: a minute ago, but not before the recording begins
	deadline     time.Time // no attempt is made after this time on the local clock
	timerRunning bool      // the timer for the next attempt is running
}

// retryRewindMsg makes the board retry a request to rewind.
type retryRewindMsg struct{ *rewindRequest }

// isPending reports whether the instant to is not recorded yet but soon will be. recording and err
// are the results of opening the recording. If nothing is being recorded, isPending returns false.
func (r *rewinder) isPending(to time.Time, recording replay.Recording, err error) bool {
	coming := r.board.liveFloor.scene.Archive.IsPreparing
	if coming == nil || !coming() {
		return false
	}
	if err != nil {
		return errors.Is(err, replay.ErrNothingRecorded)
	}
	from, _ := recording.Span()
	return !to.IsZero() && to.Before(from.Truncate(time.Second))
}

// awaitRecording shows a message that the instant to is not recorded yet, and schedules a retry. A
// retry shows the message again, unless another message is on the screen.
func (r *rewinder) awaitRecording(to time.Time) tea.Cmd {
	m := r.board
	sc, w := m.liveFloor.scene, r.pending
	if w == nil || !w.instant.Equal(to) {
		w = &rewindRequest{instant: to, deadline: sc.Now().Add(rewindRetryLimit)}
	}
	key := m.liveFloor.keys.Back.Help().Key
	reason := sc.translate(words.BoardNotRecordedYet(key))
	if !to.IsZero() {
		reason = sc.translate(words.BoardNotRecordedUntil(replay.FormatInstant(to, sc.floor.ToServerTime(sc.Now()), sc.look), key))
	}
	retryCmd := r.awaitRetry(w)
	if said := m.notice.Text; w == r.pending && said != "" && said != reason {
		return retryCmd
	}
	r.pending = w
	return tea.Batch(retryCmd, m.shownFloor.showMessage(reason))
}

// awaitRetry returns a command that waits for the next attempt to rewind as requested by w. It
// returns nil if the timer is already running.
func (r *rewinder) awaitRetry(w *rewindRequest) tea.Cmd {
	if w.timerRunning {
		return nil
	}
	w.timerRunning = true
	return dialog.DelayMsg(r.board.liveFloor.scene.Context, rewindRetryInterval, retryRewindMsg{w})
}

// retry makes another attempt to rewind as requested by w. While a dialog, the filter, the help or
// the palette is open, it only waits for the next attempt, and cancels the rewind after the
// deadline. It does nothing if w has been canceled or replaced.
func (r *rewinder) retry(w *rewindRequest) tea.Cmd {
	m := r.board
	w.timerRunning = false
	switch {
	case w != r.pending || m.isReplaying():
		return nil
	case !m.pageHasKeyboard() && m.liveFloor.scene.Now().Before(w.deadline):
		return r.awaitRetry(w)
	case !m.pageHasKeyboard():
		return r.dropPending()
	}
	return r.start(w.instant)
}

// dropPending cancels the pending rewind.
func (r *rewinder) dropPending() tea.Cmd {
	r.pending = nil
	return r.board.shownFloor.showMessage(r.board.shownFloor.scene.translate(words.BoardStays()))
}

// cancelPending cancels the pending rewind if msg is the key Back and the page has the keyboard
// focus. handled reports whether the rewind was canceled.
func (r *rewinder) cancelPending(msg tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	if m := r.board; r.pending == nil || !key.Matches(msg, m.shownFloor.keys.Back) || !m.pageHasKeyboard() {
		return nil, false
	}
	return r.dropPending(), true
}

// start starts a replay at the instant to, as soon as this instant has been recorded. The zero
// time means a minute ago, or the first recorded instant if that is later.
func (r *rewinder) start(to time.Time) tea.Cmd {
	m := r.board
	sc := m.shownFloor.scene
	if sc.Archive.Open == nil {
		return m.shownFloor.showMessage(sc.look.Translate(sc.archive(m.shownFloor.replay).NoRecordingReason()))
	}
	recording, err := sc.Archive.Open()
	if r.isPending(to, recording, err) && (r.pending == nil || !r.pending.instant.Equal(to) || sc.Now().Before(r.pending.deadline)) {
		if err == nil {
			_ = recording.Close() // opened only to see what is recorded
		}
		return r.awaitRecording(to)
	}
	r.pending = nil
	if err != nil {
		return m.shownFloor.showMessage(sc.translate(words.BoardNoRewind(words.TextOf(err))))
	}
	if to.IsZero() {
		to = sc.floor.ToServerTime(sc.Now()).Add(-time.Minute)
	}
	ctx, cancel := context.WithCancel(sc.Context)
	past, err := r.newFloor(ctx, recording)
	if err != nil {
		cancel()
		_ = recording.Close() // read-only: closing cannot lose data
		return r.showReplayError(err)
	}
	r.cancelReplay = cancel
	m.show(past)
	cmds := []tea.Cmd{past.start(), past.replay.Jump(to), past.replay.CheckGrowth()}
	m.shownFloor.pages.RestorePageStates(m.shownFloor.scene.paneScene(), m.liveFloor.pages)
	play := dialog.RecoverPanic(func() tea.Msg {
		err := recording.Play(ctx)
		_ = recording.Close() // read-only: closing cannot lose data
		if err != nil {
			return recordingEndedMsg{err, floorTarget{past}}
		}
		return nil
	})
	return tea.Batch(past.routeResult(tea.Batch(append(cmds, play)...)), sc.Archive.LogReplay(to))
}

// end ends the replay and shows the live floor again.
func (r *rewinder) end() {
	r.cancelReplay()
	r.cancelReplay = nil
	r.board.show(r.board.liveFloor)
}

// showReplayError shows the reason why there is no replay, without the stack of a panic.
func (r *rewinder) showReplayError(err error) tea.Cmd {
	reason, _, _ := strings.Cut(words.TextOf(err).In(r.board.shownFloor.scene.look.Format.Words), "\n")
	return r.board.shownFloor.showMessage(r.board.shownFloor.scene.translate(words.BoardNoReplay(words.Name(reason))))
}

// options returns the options of a read-only floor for the replay of a recording.
func (r *rewinder) options(ctx context.Context, recording replay.Recording) Options {
	o := *r.board.liveFloor.scene.Options
	o.Archive.Replayed, o.Context = recording, ctx
	o.Alerts = nil
	o.Actions = Actions{User: o.Actions.User, Recorder: o.Actions.Recorder, Save: o.Actions.Save, Sender: o.Actions.Sender}
	o.Process = Process{ShowInsecureBadge: o.Process.ShowInsecureBadge}
	o.Display.Flash, o.Display.Refresh, o.Display.frameDriven = false, 0, false
	o.Alarm = AlarmSignals{}
	o.OtherViewers = boarddialogs.ViewersOptions{}
	return o
}

// reload applies the changed options of the live floor to the replay, and evaluates the alerts of
// the replayed instant again.
func (r *rewinder) reload() tea.Cmd {
	past := r.board.shownFloor
	o := r.options(past.scene.Context, past.scene.Archive.Replayed)
	return past.routeResult(tea.Batch(past.applyOptions(o, false), past.replay.Reevaluate()))
}

// newFloor returns a read-only floor for the replay of a recording.
func (r *rewinder) newFloor(ctx context.Context, recording replay.Recording) (*floorState, error) {
	m := r.board
	sc := m.liveFloor.scene
	past, err := newFloorState(r.options(ctx, recording), m)
	if err != nil {
		return nil, err
	}
	past.alertHandler.terminalEnv = m.liveFloor.alertHandler.terminalEnv
	past.scene.platforms, past.scene.viewerMessages = sc.platforms, sc.otherViewers
	ended := sc.Alerts.History()
	incidents := sc.alerts.Alarms().PresentSituations.Incidents(ended)
	if sc.Archive.Pseudonymous {
		for i := range incidents {
			incidents[i].Incident = situation.RemoveAgentData(incidents[i].Incident)
		}
	}
	past.replay.ConnectLive(sc.Now, slices.Concat(sc.Alerts.Active(), ended), incidents)
	past.scene.floor.SetChannel(sc.floor.Channel)
	return past, nil
}
