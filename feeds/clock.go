package feeds

import (
	"net/http"
	"slices"
	"time"

	"wallboard/feeds/records"
)

// The platform's clock is read from the Date header of responses, in whole seconds: at each
// handshake, login and poll, and periodically during a long session ([graphql.Login.WatchClock]). The
// offset is the platform's time minus ours.
const (
	// clockReadings is the number of stored readings. Their median determines the offset.
	clockReadings = 5
	// clockTolerance is the largest difference from the median of the readings at which the offset
	// stays unchanged. A single reading can be wrong by one second.
	clockTolerance = records.InstantTolerance
	// maxRoundTrip is the longest round trip of a request that the clock is read from. After a
	// longer one, the reading would be too inaccurate.
	maxRoundTrip = 2 * time.Second
)

// clockOffset estimates by how much the platform's clock is ahead of ours. The zero value is ready
// to use and means no offset.
type clockOffset struct {
	readings []time.Duration // newest last
	offset   time.Duration   // the platform's time minus ours
}

// addReading adds a reading r, which is the platform's time minus ours. It reports whether the offset
// changed.
func (c *clockOffset) addReading(r time.Duration) bool {
	isNear := func(a, b time.Duration) bool { return (a - b).Abs() <= clockTolerance }
	if n := len(c.readings); n > 1 && !isNear(c.readings[n-1], c.median()) && isNear(c.readings[n-1], r) {
		c.readings = c.readings[n-1:] // the last two readings agree with each other but not with the median: the clock was set
	}
	c.readings = append(c.readings, r)
	c.readings = c.readings[max(0, len(c.readings)-clockReadings):]
	m := c.median()
	if isNear(m, c.offset) {
		return false
	}
	c.offset = m
	return true
}

// median returns the middle reading. For an even number of readings, it returns the middle reading
// that is closer to the current offset.
func (c *clockOffset) median() time.Duration {
	sorted := slices.Sorted(slices.Values(c.readings))
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	if (low - c.offset).Abs() <= (high - c.offset).Abs() {
		return low
	}
	return high
}

// clockReading returns how far the Date in h is ahead of our clock. sent and received are when the
// request was sent and when the answer arrived. It returns false if h contains no usable Date or
// the round trip took longer than maxRoundTrip.
func clockReading(h http.Header, sent, received time.Time) (time.Duration, bool) {
	date, err := http.ParseTime(h.Get("Date"))
	age := h.Get("Age")
	if err != nil || age != "" && age != "0" || received.Sub(sent) > maxRoundTrip {
		return 0, false // no date, a response from a cache, or a response that took too long
	}
	return date.Add(time.Second / 2).Sub(sent.Add(received.Sub(sent) / 2)), true
}
