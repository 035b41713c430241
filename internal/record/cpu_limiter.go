package record

import "time"

// CPULimiter limits the CPU use of replays on a server with live boards. They read in turns, and each
// turn is followed by a pause of twice its length, at most maxTurnPause, so that together they use
// about a third of one core. A nil CPULimiter imposes no limit. It is safe for concurrent use.
type CPULimiter struct {
	nextStart   chan time.Time // earliest start of the next turn; empty while a turn is taken
	drawingTime func(now time.Time) time.Duration
}

// NewCPULimiter returns a CPULimiter. No turn starts while boards are being drawn: drawingTime returns the
// time until they are drawn, or 0; nil always means 0.
func NewCPULimiter(drawingTime func(now time.Time) time.Duration) *CPULimiter {
	if drawingTime == nil {
		drawingTime = func(time.Time) time.Duration { return 0 }
	}
	t := &CPULimiter{make(chan time.Time, 1), drawingTime}
	t.nextStart <- time.Time{}
	return t
}

// maxTurnPause limits the pause after a turn.
const maxTurnPause = 100 * time.Millisecond

// takeTurn waits for a turn, which ends when done is called. Turns are taken in order.
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

// sharedFrameCheckInterval is the interval at which a replay that takes turns checks for the next snapshot:
// remote boards are drawn once a second.
const sharedFrameCheckInterval = time.Second

// ShareCPU makes the replay take turns with others, so that it does not delay live boards. It
// disables prefetching and the search for damage. It must be called before the replay is used.
func (f *Replay) ShareCPU(others *CPULimiter) { f.limiter, f.player.prefetcher = others, nil }
