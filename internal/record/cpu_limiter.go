package record

import "time"

// CPULimiter limits the CPU time of replays on a server with live boards. Replays read in
// turns. After each turn, the limiter pauses for twice the length of the turn, up to
// maxTurnPause. All replays together thus use about a third of a core, or more if turns are
// long. A nil CPULimiter imposes no limit. A CPULimiter is safe for concurrent use.
type CPULimiter struct {
	nextStart   chan time.Time // earliest start of the next turn; empty during a turn
	drawingTime func(now time.Time) time.Duration
}

// NewCPULimiter returns a CPULimiter. drawingTime returns for how long live boards are still being
// drawn; no turn starts in this time. With a nil drawingTime, turns do not wait for boards.
func NewCPULimiter(drawingTime func(now time.Time) time.Duration) *CPULimiter {
	if drawingTime == nil {
		drawingTime = func(time.Time) time.Duration { return 0 }
	}
	t := &CPULimiter{make(chan time.Time, 1), drawingTime}
	t.nextStart <- time.Time{}
	return t
}

// maxTurnPause is the longest pause after a turn.
const maxTurnPause = 100 * time.Millisecond

// takeTurn waits for a turn. The caller must call done at the end of its turn.
func (t *CPULimiter) takeTurn() (done func()) {
	if t == nil {
		return func() {}
	}
	<-time.After(time.Until(<-t.nextStart))
	<-time.After(t.drawingTime(time.Now()))
	begun := time.Now()
	return func() {
		now := time.Now()
		t.nextStart <- now.Add(min(2*now.Sub(begun), maxTurnPause))
	}
}

// sharedFrameCheckInterval is how often a replay with a [CPULimiter] checks for the next snapshot.
// It is a second, because remote boards are drawn once a second.
const sharedFrameCheckInterval = time.Second

// ShareCPU makes the replay take turns with the other replays of a limiter, to avoid delaying
// live boards. It disables prefetching and the search for damage. It must be called before the
// replay is used.
func (f *Replay) ShareCPU(others *CPULimiter) { f.limiter, f.player.prefetcher = others, nil }
