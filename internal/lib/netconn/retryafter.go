package netconn

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxDelay is the longest delay that [RetryAfter] returns. It prevents overflow; callers have
// their own limits.
const maxDelay = 1 << 20 * time.Second

// RetryAfter returns the delay that the header Retry-After of a response requests (RFC 9110,
// section 10.2.3). The header holds a number of seconds or a time on the server's clock.
// RetryAfter takes the server's current time from the header Date, or uses now if Date is
// missing. It returns 0 if Retry-After is missing or invalid.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(seconds, 0), int(maxDelay/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), 0), maxDelay)
}
