package record

import "time"

// CPULimiter limits the CPU use of replays on a server with live boards. Together they use one core for
// at most a third of the time, because each turn is followed by a pause of twice its length. A nil
// Turns imposes no limit. It is safe for concurrent use.
type CPULimiter struct {
	nextStart   chan time.Time // earliest start of the next turn; empty while a turn is taken
	drawingTime func(now time.Time) time.Duration
}

// NewTurns returns a Turns. No turn starts while boards are being drawn: drawingTime returns for
// how long that still takes, or 0; nil always means 0.
func NewTurns(drawingTime func(now time.Time) time.Duration) *CPULimiter {
	if drawingTime == nil {
		drawingTime = func(time.Time) time.Duration { return 0 }
	}
	t := &CPULimiter{make(chan time.Time, 1), drawingTime}
	t.nextStart <- time.Time{}
	return t
}

// maxRest limits the pause after a turn.
const maxRest = 100 * time.Millisecond

// take waits for a turn, which ends when done is called. Turns are taken in order.
func (t *CPULimiter) take() (done func()) {
	if t == nil {
		return func() {}
	}
	<-time.After(time.Until(<-t.nextStart))
	<-time.After(t.drawingTime(time.Now()))
	begun := time.Now()
	return func() {
		now := time.Now()
		t.nextStart <- now.Add(min(2*now.Sub(begun), maxRest))
	}
}

// sharedFrameEvery is the interval at which a replay that takes turns checks for the next snapshot:
// remote boards are drawn once a second.
const sharedFrameEvery = time.Second

// ShareTurns makes the replay take turns with others, so that it does not delay live boards. It
// disables prefetching and the search for damage. It must be called before the replay is used.
func (f *Replay) ShareTurns(others *CPULimiter) { f.turns, f.player.prefetch = others, nil }
