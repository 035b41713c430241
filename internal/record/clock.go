package record

import (
	"time"

	"wallboard/internal/phrases"
)

// minClockJump is the smallest jump of a clock that is recorded as a mark. The measured offset of
// the platform's clock changes slightly all the time, because it is only accurate to a second.
const minClockJump = 5 * time.Second

// clock detects jumps of the two clocks on which the times of a recording depend: the local
// clock, and the platform's clock, given by its offset from the local one.
type clock struct {
	lastTime time.Time // last local time, with its monotonic reading
	offset   time.Duration
}

// detectJump returns a mark if the recorded times have jumped by minClockJump or more since the
// last call. Otherwise ok is false. now is the local time, and offset is the offset of the
// platform's clock.
func (c *clock) detectJump(now time.Time, offset time.Duration) (m Mark, ok bool) {
	was := *c
	*c = clock{now, offset}
	if was.lastTime.IsZero() {
		return m, false
	}
	by := clockJump(now.Round(0).Sub(was.lastTime.Round(0)), now.Sub(was.lastTime), was.offset, offset)
	if by.Abs() < minClockJump {
		return m, false
	}
	return Mark{At: now.Add(offset), Kind: MarkClock, Text: clockJumpText(by)}, true
}

// clockJump returns by how much the recorded times jumped between two readings of the clocks. shown
// is the advance of the local clock, and elapsed is the monotonic time that passed. before and now
// are the offsets of the platform's clock at the two readings. An offset of 0 means that it was not
// measured.
func clockJump(shown, elapsed, before, now time.Duration) time.Duration {
	by := shown - elapsed
	if before != 0 {
		by += now - before
	}
	return by
}

// clockJumpText describes in a sentence that a clock was set.
func clockJumpText(by time.Duration) string {
	length := phrases.Duration(by.Abs().Round(time.Second))
	if by < 0 {
		return "The clock was set back by " + length
	}
	return "The clock was set forward by " + length + ", or the machine slept"
}
