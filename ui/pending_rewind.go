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
	// retryRewindEvery is the interval at which the board checks whether the instant that the
	// viewer requested has been recorded.
	retryRewindEvery = 500 * time.Millisecond
	// retryRewindFor is how long the board checks for the requested instant. After that time, the
	// viewer may have forgotten the request.
	retryRewindFor = time.Minute
)

// rewindRequest is a request to replay an instant that has not been recorded yet.
type rewindRequest struct {
	to       time.Time // the requested instant; zero: a minute ago, but not before the recording begins
	deadline time.Time // no attempt is made after this time, on the local clock
}

// retryRewindMsg makes the board try again to carry out a request to rewind.
type retryRewindMsg struct{ *rewindRequest }

// isPending reports whether the instant to is not recorded yet but will be soon. recording and err
// are the results of opening the recording. If nothing is being recorded, isPending returns false.
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

// awaitRecording shows a message that the instant to is not recorded yet, and schedules another
// attempt. Each later attempt shows the message again, unless another message is on the screen.
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

// retryRewind makes another attempt to rewind as requested by w. It does nothing if w has been
// canceled or replaced.
func (v *Viewer) retryRewind(w *rewindRequest) tea.Cmd {
	if w != v.pendingRewind || v.replay != nil {
		return nil
	}
	return v.rewind(w.to)
}

// cancelRewind cancels the pending rewind if msg is the key Back and neither a dialog, the help nor
// the palette is open. handled reports whether the rewind was canceled.
func (v *Viewer) cancelRewind(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	press, ok := msg.(tea.KeyPressMsg)
	b := v.live
	if !ok || v.pendingRewind == nil || !key.Matches(press, b.keys.Back) || b.dialogs.Top() != nil || b.filter.Focused || b.mode != modeBoard {
		return nil, false
	}
	v.pendingRewind = nil
	return v.say("The board stays at now."), true
}
