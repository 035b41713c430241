// Package retryafter reads how long an HTTP answer asks to wait before the next
// request.
package retryafter

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// most is the longest wait that is told: what is far beyond any reason must not
// overflow, and callers have bounds of their own.
const most = 1 << 20 * time.Second

// In returns how long the headers of an answer ask to wait (RFC 9110, section
// 10.2.3): so many seconds, or until an instant on the clock of who answered. now
// is ours, for an answer without a Date. 0 is that nothing readable is asked for.
func In(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(seconds, 0), int(most/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), 0), most)
}
