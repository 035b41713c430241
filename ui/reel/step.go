package reel

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/task"
)

// going is where somebody goes who holds down a key beside others who are not to wait.
type going struct {
	by     time.Duration
	rested time.Time // when the next step may be made
	waits  bool      // for that
}

const (
	// stepPause is between two steps beside others, at least; restful is how many times as
	// long as one took.
	stepPause = 100 * time.Millisecond
	restful   = 6
	// stayed is how long somebody has not gone on then before what led to it is looked at.
	stayed = 600 * time.Millisecond
)

// step goes on by a while. Beside others, steps that come too fast become one.
func (r *Reel) step(by time.Duration) tea.Cmd {
	r.going.by += by
	pause := max(time.Until(r.going.rested), 0)
	pause += r.Queue.After(time.Now().Add(pause))
	switch {
	case r.going.waits:
		return nil
	case pause <= 0:
		return r.stepped()
	}
	r.going.waits = true
	ctx := r.Board.Context()
	return task.Guard(func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
			return steppedMsg{r}
		}
	})
}

// steppedMsg has the steps be made that have waited.
type steppedMsg struct{ *Reel }

// Arrive makes them.
func (m steppedMsg) Arrive() tea.Cmd { return m.stepped() }

// stepped makes them.
func (r *Reel) stepped() tea.Cmd {
	by, begun := r.going.by, time.Now()
	r.going = going{}
	if by == 0 { // there and back, or the viewer is elsewhere
		return nil
	}
	cmd := r.Leap(r.Film.At().Add(by))
	if r.Queue != nil {
		now := time.Now()
		r.going.rested = now.Add(max(stepPause, restful*now.Sub(begun)))
	}
	return cmd
}
