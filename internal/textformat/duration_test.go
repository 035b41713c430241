package textformat

import (
	"math"
	"testing"
	"time"

	"wallboard/internal/words"
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
			"clock": {Duration(c.d), c.clock}, "approx": {words.ApproxDuration(c.d).In(nil), c.approx},
			"minutes": {words.Minutes(c.d).In(nil), c.minutes}, "config": {ConfigDuration(c.d), c.config},
		} {
			if got[0] != got[1] {
				t.Errorf("%v as %s: %q, want %q", c.d, form, got[0], got[1])
			}
		}
	}
	for d, want := range map[time.Duration]string{24 * time.Hour: "24 hours", 49 * time.Hour: "3 days", 72 * time.Hour: "3 days", 90 * time.Second: "2 minutes"} {
		if got := Age(d); got != want {
			t.Errorf("age %v: %q, want %q", d, got, want)
		}
	}
	if got := Seconds(1e300); got != "106751d 23:47" {
		t.Errorf("huge: %q", got)
	}
}

// TestDayClock checks that a time of day names its date if that is not the date of now.
func TestDayClock(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("UTC+2", 2*3600)
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, zone)
	for at, want := range map[time.Time]string{
		time.Date(2026, 11, 27, 6, 30, 0, 0, time.UTC):  "08:30",
		time.Date(2026, 11, 26, 22, 30, 0, 0, time.UTC): "00:30",
		time.Date(2026, 11, 26, 21, 30, 0, 0, time.UTC): "26 Nov 23:30",
		time.Date(2025, 11, 27, 8, 30, 0, 0, zone):      "27 Nov 08:30",
	} {
		if got := DayClock(at, now); got != want {
			t.Errorf("DayClock(%v) = %q, want %q", at, got, want)
		}
	}
}

// TestNumbers checks the forms of means and of numbers in a configuration file.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v            float64
		mean, config string
	}{{0, "0", "0"}, {2.25, "2.3", "2.25"}, {9.94, "9.9", "9.94"}, {99.94, "100", "99.94"}, {123.6, "124", "123.6"}, {12345.6, "12 346", "12345.6"}, {math.NaN(), "–", "nan"}} {
		if mean, config := string(Format{}.Mean(nil, c.v)), ConfigNumber(c.v); mean != c.mean || config != c.config {
			t.Errorf("%v: %q and %q, want %q and %q", c.v, mean, config, c.mean, c.config)
		}
	}
}
