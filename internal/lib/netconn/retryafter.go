package netconn

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxDelay limits the returned wait, to prevent overflow; callers have their own limits.
const maxDelay = 1 << 20 * time.Second

// RetryAfter returns how long the headers of an answer ask to wait (RFC 9110, section 10.2.3): a
// number of seconds, or until a time on the server's clock. now is used for an answer
// without a Date header. It returns 0 if there is no valid value.
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
