package feeds

import (
	"net/http"
	"slices"
	"time"

	"wallboard/feeds/records"
)

// The platform's clock is read from the Date header of responses, in whole seconds: at each
// handshake, login and poll, and periodically during a long session ([login.Login.WatchClock]).
const (
	// clockReadings is the number of readings whose median is the offset.
	clockReadings = 5
	// clockTolerance is how much the offset may be wrong before it changes: a
	// single reading can be wrong by one second.
	clockTolerance = records.InstantTolerance
	// maxRoundTrip is the longest round trip that still yields a reading.
	maxRoundTrip = 2 * time.Second
)

// clock estimates the difference between the platform's clock and ours. The
// zero value has no difference.
type clock struct {
	readings []time.Duration // newest last
	offset   time.Duration   // the platform's minus ours
}

// add adds a reading and reports whether the offset changed.
func (c *clock) add(r time.Duration) bool {
	near := func(a, b time.Duration) bool { return (a - b).Abs() <= clockTolerance }
	if n := len(c.readings); n > 1 && !near(c.readings[n-1], c.median()) && near(c.readings[n-1], r) {
		c.readings = c.readings[n-1:] // two readings agree: the clock was set
	}
	c.readings = append(c.readings, r)
	c.readings = c.readings[max(0, len(c.readings)-clockReadings):]
	m := c.median()
	if near(m, c.offset) {
		return false
	}
	c.offset = m
	return true
}

// median returns the middle reading; with an even number, the one closer to the
// present offset.
func (c *clock) median() time.Duration {
	sorted := slices.Sorted(slices.Values(c.readings))
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	if (low - c.offset).Abs() <= (high - c.offset).Abs() {
		return low
	}
	return high
}

// clockReading returns how far a Date header is ahead of our clock, given when the
// request was sent and the answer received.
func clockReading(h http.Header, sent, received time.Time) (time.Duration, bool) {
	date, err := http.ParseTime(h.Get("Date"))
	age := h.Get("Age")
	if err != nil || age != "" && age != "0" || received.Sub(sent) > maxRoundTrip {
		return 0, false // no date, from a cache, or too slow
	}
	return date.Add(time.Second / 2).Sub(sent.Add(received.Sub(sent) / 2)), true
}
