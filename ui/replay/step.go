package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// pendingSteps collects the steps of a held key on a server, where steps must not delay live
// boards.
type pendingSteps struct {
	by     time.Duration
	rested time.Time // a timer is running
	waits  bool      // for that
}

const (
	// stepPause is the minimum pause between two steps on a server; restful is the pause as
	// a multiple of the duration of the last step.
	stepPause = 100 * time.Millisecond
	restful   = 6
	// settleTime is how long the position has to be stable on a server before the past is
	// evaluated.
	settleTime = 600 * time.Millisecond
)

// step moves by a duration. On a server, steps in quick succession are combined.
func (r *Replay) step(by time.Duration) tea.Cmd {
	r.pending.by += by
	pause := max(time.Until(r.pending.rested), 0)
	pause += r.Queue.After(time.Now().Add(pause))
	switch {
	case r.pending.waits:
		return nil
	case pause <= 0:
		return r.applySteps()
	}
	r.pending.waits = true
	ctx := r.Board.Context()
	return dialog.Guard(func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
			return steppedMsg{r}
		}
	})
}

// steppedMsg carries out the pending steps.
type steppedMsg struct{ *Replay }

// Arrive implements history.Msg.
func (m steppedMsg) Arrive() tea.Cmd { return m.applySteps() }

// applySteps carries out the pending steps.
func (r *Replay) applySteps() tea.Cmd {
	by, begun := r.pending.by, time.Now()
	r.pending = pendingSteps{}
	if by == 0 { // back at the start, or the viewer has jumped
		return nil
	}
	cmd := r.Jump(r.Film.At().Add(by))
	if r.Queue != nil {
		now := time.Now()
		r.pending.rested = now.Add(max(stepPause, restful*now.Sub(begun)))
	}
	return cmd
}
