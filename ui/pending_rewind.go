package ui

import (
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/replay"
)

const (
	// retryRewindEvery is the interval at which the board checks whether the wanted instant is
	// recorded.
	retryRewindEvery = 500 * time.Millisecond
	// retryRewindFor is how long it keeps checking. Then the viewer may have forgotten the
	// request.
	retryRewindFor = time.Minute
)

// rewindRequest is an instant that the viewer wants to replay and that is about to be recorded.
type rewindRequest struct {
	to    time.Time // zero: the first recorded instant
	until time.Time // deadline on the local clock
}

// retryRewindMsg makes the board check again.
type retryRewindMsg struct{ *rewindRequest }

// isPending reports whether the recording does not contain an instant yet but soon will. If
// recording is nil, err is the error of opening it.
func (v *Viewer) isPending(to time.Time, recording replay.Recording, err error) bool {
	coming := v.live.scene.Memory.Growing
	if coming == nil || !coming() {
		return false
	}
	if err != nil {
		return errors.Is(err, replay.ErrNothingYet)
	}
	from, _ := recording.Span()
	return !to.IsZero() && to.Before(from.Truncate(time.Second))
}

// awaitRecording waits for an instant and says so. It repeats the message before it disappears,
// unless another one is shown.
func (v *Viewer) awaitRecording(to time.Time) tea.Cmd {
	sc, w := v.live.scene, v.pendingRewind
	if w == nil || !w.to.Equal(to) {
		w = &rewindRequest{to, sc.Now().Add(retryRewindFor)}
	}
	reason := "Nothing is recorded yet: the board shows what was as soon as something is. "
	if !to.IsZero() {
		reason = replay.FormatInstant(to, sc.floor.Server(sc.Now()), sc.look) + " is not recorded yet: the board goes there once it is. "
	}
	reason += v.live.keys.Back.Help().Key + ": stay"
	retryCmd := v.forBoard(v.live, dialog.After(sc.Context, retryRewindEvery, retryRewindMsg{w}))
	if said := v.live.notice.Text; w == v.pendingRewind && said != "" && said != reason {
		return retryCmd
	}
	v.pendingRewind = w
	return tea.Batch(retryCmd, v.say(reason))
}

// retryRewind rewinds to the wanted instant, unless the request was withdrawn.
func (v *Viewer) retryRewind(w *rewindRequest) tea.Cmd {
	if w != v.pendingRewind || v.replay != nil {
		return nil
	}
	return v.rewind(w.to)
}

// cancelRewind cancels the wait on the key Back. The key then does nothing else.
func (v *Viewer) cancelRewind(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	press, ok := msg.(tea.KeyPressMsg)
	b := v.live
	if !ok || v.pendingRewind == nil || !key.Matches(press, b.keys.Back) || b.dialogs.Top() != nil || b.filter.focused || b.mode != modeBoard {
		return nil, false
	}
	v.pendingRewind = nil
	return v.say("The board stays at now."), true
}
