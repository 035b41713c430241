package powersave

import (
	"sync/atomic"
	"time"
)

// UntilDue returns the time from now until the next multiple of interval, shifted by phase.
func UntilDue(now time.Time, interval, phase time.Duration) time.Duration {
	return now.Add(-phase).Truncate(interval).Add(interval + phase).Sub(now)
}

// Ticker is like [time.Ticker], but ticks at the multiples of its interval. All tickers whose
// intervals are multiples of a second wake up the program at the same time, together with its
// frames. On a mostly idle machine, waking up costs more than the work itself.
type Ticker struct {
	C       <-chan time.Time
	timer   *time.Timer
	stopped atomic.Bool
}

// NewTicker returns a ticker that ticks at the multiples of interval. The caller must call
// [Ticker.Stop].
func NewTicker(interval time.Duration) *Ticker {
	c := make(chan time.Time, 1)
	t := &Ticker{C: c}
	t.timer = time.AfterFunc(time.Hour, func() {
		if t.stopped.Load() {
			return
		}
		now := time.Now()
		t.timer.Reset(UntilDue(now, interval, 0))
		select {
		case c <- now:
		default: // the receiver has not taken the last tick yet
		}
	})
	t.timer.Reset(UntilDue(time.Now(), interval, 0))
	return t
}

// Stop ends the ticks, except for one that is being sent.
func (t *Ticker) Stop() {
	t.stopped.Store(true)
	t.timer.Stop()
}
