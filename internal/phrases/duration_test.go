package phrases

import (
	"testing"
	"time"
)

// TestDurations checks the forms of durations. An estimate never reads "60 s", because it would
// alternate with "1 min".
func TestDurations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d                              time.Duration
		clock, approx, minutes, config string
	}{
		{-time.Second, "0:00", "10 s", "0 min", "-1s"},
		{36 * time.Second, "0:36", "40 s", "1 min", "36s"},
		{58 * time.Second, "0:58", "1 min", "1 min", "58s"},
		{time.Minute, "1:00", "1 min", "1 min", "1m"},
		{90 * time.Minute, "1:30:00", "90 min", "1 h 30 min", "1h30m"},
		{2 * time.Hour, "2:00:00", "2 h", "2 h 00 min", "2h"},
		{100 * time.Hour, "4d 04:00", "100 h", "100 h 00 min", "100h"},
	} {
		for form, got := range map[string][2]string{
			"clock": {Duration(c.d), c.clock}, "approx": {ApproxDuration(c.d), c.approx},
			"minutes": {Minutes(c.d), c.minutes}, "config": {ConfigDuration(c.d), c.config},
		} {
			if got[0] != got[1] {
				t.Errorf("%v as %s: %q, want %q", c.d, form, got[0], got[1])
			}
		}
	}
	if got := Seconds(1e300); got != "106751d 23:47" {
		t.Errorf("huge: %q", got)
	}
}
