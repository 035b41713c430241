package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// pendingSteps collects the steps while a key is held down. On a server, steps are delayed so that
// they do not delay live boards.
type pendingSteps struct {
	delta        time.Duration // sum of the steps
	pausedUntil  time.Time     // no step is made before this time
	timerRunning bool          // a timer is waiting for pausedUntil
}

const (
	// minStepPause is the minimum pause between two steps on a server.
	minStepPause = 100 * time.Millisecond
	// pauseFactor is the minimum pause after a step on a server, as a multiple of the time that the
	// step took.
	pauseFactor = 6
	// settleDelay is how long, on a server, the position must not change before the snapshots before
	// it are evaluated.
	settleDelay = 600 * time.Millisecond
)

// moveBy moves the replay by a duration. On a server, it combines steps in quick succession.
func (r *Replay) moveBy(delta time.Duration) tea.Cmd {
	r.pending.delta += delta
	pause := max(time.Until(r.pending.pausedUntil), 0)
	pause += r.Queue.BusyFor(time.Now().Add(pause))
	switch {
	case r.pending.timerRunning:
		return nil
	case pause <= 0:
		return r.applySteps()
	}
	r.pending.timerRunning = true
	ctx := r.Board.Context()
	return dialog.RecoverPanic(func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
			return applyStepsMsg{r}
		}
	})
}

// applyStepsMsg makes a replay make the pending steps.
type applyStepsMsg struct{ *Replay }

// Apply implements history.Msg. It makes the pending steps.
func (m applyStepsMsg) Apply() tea.Cmd { return m.applySteps() }

// applySteps moves the replay by the sum of the pending steps.
func (r *Replay) applySteps() tea.Cmd {
	delta, startedAt := r.pending.delta, time.Now()
	r.pending = pendingSteps{}
	if delta == 0 { // the steps cancel each other out, or the viewer has jumped
		return nil
	}
	cmd := r.Jump(r.Recording.At().Add(delta))
	if r.Queue != nil {
		now := time.Now()
		r.pending.pausedUntil = now.Add(max(minStepPause, pauseFactor*now.Sub(startedAt)))
	}
	return cmd
}
