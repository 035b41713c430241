package feeds

import (
	"net/http"
	"slices"
	"time"

	"wallboard/feeds/picture"
)

// The platform's clock is told by the Date header of its answers, in whole
// seconds. Readings come with the handshake of every session, with logins and
// with polls, and now and then on a session that goes on ([login.Login.WatchClock]).
const (
	// clockReadings is how many readings the offset is the median of.
	clockReadings = 5
	// clockTolerance is how far the offset may be off before it is changed: a
	// single reading may be off by a second.
	clockTolerance = picture.Tolerance
	// clockHaste is how long an answer may take to tell the time.
	clockHaste = 2 * time.Second
)

// clock tells how far the platform's clock is from ours. Its zero value is not
// at all.
type clock struct {
	readings []time.Duration // newest last
	offset   time.Duration   // the platform's minus ours
}

// read takes a reading over and reports whether the offset has changed.
func (c *clock) read(r time.Duration) bool {
	near := func(a, b time.Duration) bool { return (a - b).Abs() <= clockTolerance }
	if n := len(c.readings); n > 1 && !near(c.readings[n-1], c.median()) && near(c.readings[n-1], r) {
		c.readings = c.readings[n-1:] // the clock was set: two readings say so
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

// median is the one in the middle; of two, the one that changes less.
func (c *clock) median() time.Duration {
	sorted := slices.Sorted(slices.Values(c.readings))
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	if (low - c.offset).Abs() <= (high - c.offset).Abs() {
		return low
	}
	return high
}

// readingOf returns by how much a Date header is ahead of our clock, when its
// answer was asked for and came at these times.
func readingOf(h http.Header, sent, came time.Time) (time.Duration, bool) {
	date, err := http.ParseTime(h.Get("Date"))
	age := h.Get("Age")
	if err != nil || age != "" && age != "0" || came.Sub(sent) > clockHaste {
		return 0, false // no date, one of a cache, or one that was long under way
	}
	return date.Add(time.Second / 2).Sub(sent.Add(came.Sub(sent) / 2)), true
}
