package record

import "time"

// Turns has several films be shown beside boards that are not to wait for them: what is read
// and rebuilt for all of them takes one processor at most, and a third of its time, for it
// rests twice as long as it has worked. A nil Turns lets everybody go on at once. It is safe
// for concurrent use.
type Turns struct {
	next  chan time.Time // when the next turn may begin; empty: somebody has theirs
	after func(now time.Time) time.Duration
}

// NewTurns returns turns that nobody has taken yet. None begins while the boards beside are
// drawn: after tells how long that still lasts, 0 for as long as they are not; nil: always.
func NewTurns(after func(now time.Time) time.Duration) *Turns {
	if after == nil {
		after = func(time.Time) time.Duration { return 0 }
	}
	t := &Turns{make(chan time.Time, 1), after}
	t.next <- time.Time{}
	return t
}

// longestRest bounds the rest after a turn: somebody may wait.
const longestRest = 100 * time.Millisecond

// take waits for a turn, which ends with done. Who waits for longest is next.
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

// besideEvery is how often a film that is shown beside others looks whether the next picture
// is due: boards elsewhere draw one a second.
const besideEvery = time.Second

// Beside has a film be shown beside others, and boards that do not wait for them. Nothing is
// read ahead for it, and what is damaged is found where somebody comes there. It is called
// before anybody looks at the film.
func (f *Film) Beside(others *Turns) { f.turns, f.player.ahead = others, nil }
