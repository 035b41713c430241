package record

import (
	"fmt"
	"time"
)

// leastStep is how far a clock has to jump to be marked: the platform's is measured to a
// second, and set by less all the time.
const leastStep = 5 * time.Second

// clock is what was seen of the clocks that times of a recording are made of: ours, and how
// far the platform's is ahead of it.
type clock struct {
	seen  time.Time // with what of it only goes on
	ahead time.Duration
}

// see returns what the recording is to be marked with where a clock was set since it was
// looked at last; ok is false where none was.
func (c *clock) see(now time.Time, ahead time.Duration) (m Mark, ok bool) {
	was := *c
	*c = clock{now, ahead}
	if was.seen.IsZero() {
		return m, false
	}
	by := stepOf(now.Round(0).Sub(was.seen.Round(0)), now.Sub(was.seen), was.ahead, ahead)
	if by.Abs() < leastStep {
		return m, false
	}
	return Mark{At: now.Add(ahead), Kind: MarkClock, Text: stepText(by)}, true
}

// stepOf is by how much the times of a recording jumped: from one look to the next our clock
// showed that so much time had gone by, of which so much had. The platform's was ahead of it
// then, and is now; while it is zero nobody has measured it.
func stepOf(shown, went, ahead, now time.Duration) time.Duration {
	by := shown - went
	if ahead != 0 {
		by += now - ahead
	}
	return by
}

// stepText says by how much a clock was set.
func stepText(by time.Duration) string {
	d := by.Abs().Round(time.Second)
	length := fmt.Sprintf("%d:%02d:%02d", d/time.Hour, d/time.Minute%60, d/time.Second%60)
	if by < 0 {
		return "The clock was set back by " + length
	}
	return "The clock was set forward by " + length + ", or the machine slept"
}
