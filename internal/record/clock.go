package record

import (
	"time"

	"wallboard/internal/phrases"
)

// minClockJump is the smallest clock jump that is marked. The offset of the platform's
// clock is only accurate to a second and changes slightly all the time.
const minClockJump = 5 * time.Second

// clock tracks the clocks behind the times of a recording: the local clock, and the
// offset of the platform's clock.
type clock struct {
	lastTime time.Time // with the monotonic reading
	offset   time.Duration
}

// detectJump returns a mark if a clock was set since the last call; ok is false otherwise.
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

// clockJump returns by how much recorded times jumped between two readings of the clocks. The local
// clock advanced by shown while elapsed passed, and the offset of the platform's clock changed from
// before to now. An offset of zero has not been measured.
func clockJump(shown, elapsed, before, now time.Duration) time.Duration {
	by := shown - elapsed
	if before != 0 {
		by += now - before
	}
	return by
}

// clockJumpText describes a change of the clock.
func clockJumpText(by time.Duration) string {
	length := phrases.Duration(by.Abs().Round(time.Second))
	if by < 0 {
		return "The clock was set back by " + length
	}
	return "The clock was set forward by " + length + ", or the machine slept"
}
