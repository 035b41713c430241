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
	// retryRewindEvery is the interval at which the board checks whether a requested instant has been
	// recorded.
	retryRewindEvery = 500 * time.Millisecond
	// retryRewindFor is how long the board keeps checking. After that, the viewer may have forgotten
	// the request.
	retryRewindFor = time.Minute
)

// rewindRequest is a request to replay an instant that has not been recorded yet.
type rewindRequest struct {
	to       time.Time // zero: the first recorded instant
	deadline time.Time // deadline on the local clock
}

// retryRewindMsg makes the board try a rewind again.
type retryRewindMsg struct{ *rewindRequest }

// isPending reports whether an instant has not been recorded yet but soon will be. recording and
// err are the results of opening the recording.
func (v *Viewer) isPending(to time.Time, recording replay.Recording, err error) bool {
	coming := v.live.scene.Archive.Growing
	if coming == nil || !coming() {
		return false
	}
	if err != nil {
		return errors.Is(err, replay.ErrNothingYet)
	}
	from, _ := recording.Span()
	return !to.IsZero() && to.Before(from.Truncate(time.Second))
}

// awaitRecording waits until an instant has been recorded, and shows a message. It repeats the
// message before that disappears, unless another message is shown.
func (v *Viewer) awaitRecording(to time.Time) tea.Cmd {
	sc, w := v.live.scene, v.pendingRewind
	if w == nil || !w.to.Equal(to) {
		w = &rewindRequest{to, sc.Now().Add(retryRewindFor)}
	}
	reason := "Nothing is recorded yet: the board shows what was as soon as something is. "
	if !to.IsZero() {
		reason = replay.FormatInstant(to, sc.floor.ToServerTime(sc.Now()), sc.look) + " is not recorded yet: the board goes there once it is. "
	}
	reason += v.live.keys.Back.Help().Key + ": stay"
	retryCmd := v.forBoard(v.live, dialog.After(sc.Context, retryRewindEvery, retryRewindMsg{w}))
	if said := v.live.notice.Text; w == v.pendingRewind && said != "" && said != reason {
		return retryCmd
	}
	v.pendingRewind = w
	return tea.Batch(retryCmd, v.say(reason))
}

// retryRewind tries a rewind again, unless the request has been canceled.
func (v *Viewer) retryRewind(w *rewindRequest) tea.Cmd {
	if w != v.pendingRewind || v.replay != nil {
		return nil
	}
	return v.rewind(w.to)
}

// cancelRewind cancels the pending rewind if msg is the key Back, and reports whether it did.
func (v *Viewer) cancelRewind(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	press, ok := msg.(tea.KeyPressMsg)
	b := v.live
	if !ok || v.pendingRewind == nil || !key.Matches(press, b.keys.Back) || b.dialogs.Top() != nil || b.filter.focused || b.mode != modeBoard {
		return nil, false
	}
	v.pendingRewind = nil
	return v.say("The board stays at now."), true
}
