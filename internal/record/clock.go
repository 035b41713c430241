package record

import (
	"time"

	"wallboard/internal/words"
)

// minClockJump is the smallest jump of a clock that is recorded as a mark. The measured offset
// of the platform's clock varies slightly, because it is only accurate to a second.
const minClockJump = 5 * time.Second

// clockJumpDetector detects jumps of the two clocks that determine the times of a recording: the local
// clock, and the platform's clock, given by its offset from the local one.
type clockJumpDetector struct {
	lastTime time.Time // last local time, with its monotonic reading
	offset   time.Duration
}

// detectJump returns a mark if the recorded times have jumped by at least minClockJump since
// the last call. Otherwise ok is false. now is the local time, and offset the offset of the
// platform's clock.
func (c *clockJumpDetector) detectJump(now time.Time, offset time.Duration) (m Mark, ok bool) {
	was := *c
	*c = clockJumpDetector{now, offset}
	if was.lastTime.IsZero() {
		return m, false
	}
	by := clockJump(now.Round(0).Sub(was.lastTime.Round(0)), now.Sub(was.lastTime), was.offset, offset)
	if by.Abs() < minClockJump {
		return m, false
	}
	text := clockJumpText(by)
	return Mark{At: now.Add(offset), Kind: MarkClock, Text: text.In(nil), Message: text.Stored()}, true
}

// clockJump returns the duration by which recorded times jumped between two readings of the
// clocks. shown is the advance of the local clock, and elapsed the elapsed monotonic time.
// before and now are the offsets of the platform's clock at the two readings; a before of 0
// means that there is no earlier measurement.
func clockJump(shown, elapsed, before, now time.Duration) time.Duration {
	by := shown - elapsed
	if before != 0 {
		by += now - before
	}
	return by
}

// clockJumpText returns a sentence about a clock that was set.
func clockJumpText(by time.Duration) words.Text {
	length := by.Abs().Round(time.Second)
	if by < 0 {
		return words.ReplayMarkClockBack(length)
	}
	return words.ReplayMarkClockForward(length)
}
