package commands

import (
	"testing"
	"time"
)

// TestMarkTimes checks the times of --at and --until.
func TestMarkTimes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		at, until         string
		before, remaining time.Duration
	}{
		{},
		{at: "10:02", before: time.Hour + 58*time.Minute},
		{at: "5m", before: 5 * time.Minute},
		{until: "15:00", remaining: 3 * time.Hour},
		{until: "9:00", remaining: 21 * time.Hour},
	} {
		fl := markFlags{at: tt.at, until: tt.until}
		at, until, err := fl.times(now)
		if err != nil || now.Sub(at) != tt.before || until.IsZero() != (tt.until == "") || !until.IsZero() && until.Sub(now) != tt.remaining {
			t.Errorf("%+v: %v until %v, %v", tt, at, until, err)
		}
	}
	for _, fl := range []markFlags{{at: "noon"}, {until: "tomorrow"}} {
		if _, _, err := fl.times(now); err == nil {
			t.Errorf("%+v is accepted", fl)
		}
	}
}
