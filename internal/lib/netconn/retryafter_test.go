package netconn_test

import (
	"net/http"
	"testing"
	"time"

	"wallboard/internal/lib/netconn"
)

func TestIn(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, tt := range []struct {
		after, date string
		want        time.Duration
	}{
		{"", "", 0},
		{"7", "", 7 * time.Second},
		{" 7 ", "", 7 * time.Second},
		{"-7", "", 0},
		{"1.5", "", 0},
		{"soon", "", 0},
		{"9999999999999", "", 1 << 20 * time.Second},
		{at(time.Minute), "", time.Minute},
		{at(time.Minute), at(10 * time.Second), 50 * time.Second}, // by the clock of the server
		{at(-time.Minute), "", 0},
		{at(time.Minute), "now", time.Minute},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "", 1 << 20 * time.Second},
	} {
		h := http.Header{"Retry-After": {tt.after}, "Date": {tt.date}}
		if got := netconn.RetryAfter(h, now); got != tt.want {
			t.Errorf("%q at %q: %v, want %v", tt.after, tt.date, got, tt.want)
		}
	}
	if got := netconn.RetryAfter(http.Header{}, now); got != 0 {
		t.Errorf("nothing is asked for: %v", got)
	}
}
