package record

import "time"

// Turns limits the CPU use of films that are played beside live boards. Together they
// use one core for at most a third of the time, because each turn is followed by a
// pause of twice its length. A nil Turns imposes no limit. It is safe for concurrent
// use.
type Turns struct {
	next  chan time.Time // earliest start of the next turn; empty while a turn is taken
	after func(now time.Time) time.Duration
}

// NewTurns returns a Turns. No turn starts while boards are being drawn: after returns
// for how long that lasts, or 0; nil stands for always 0.
func NewTurns(after func(now time.Time) time.Duration) *Turns {
	if after == nil {
		after = func(time.Time) time.Duration { return 0 }
	}
	t := &Turns{make(chan time.Time, 1), after}
	t.next <- time.Time{}
	return t
}

// longestRest limits the pause after a turn.
const longestRest = 100 * time.Millisecond

// take waits for a turn, which ends when done is called. Turns are taken in order.
func (t *Turns) take() (done func()) {
	if t == nil {
		return func() {}
	}
	<-time.After(time.Until(<-t.next))
	<-time.After(t.after(time.Now()))
	begun := time.Now()
	return func() {
		now := time.Now()
		t.next <- now.Add(min(2*now.Sub(begun), longestRest))
	}
}

// besideEvery is the interval at which a film beside others checks for the next
// snapshot: remote boards draw once a second.
const besideEvery = time.Second

// Beside makes the film take turns with others, so that it does not delay live boards.
// It disables prefetching and the search for damage. It must be called before the film
// is used.
func (f *Replay) Beside(others *Turns) { f.turns, f.player.prefetch = others, nil }
