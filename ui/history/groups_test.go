package history

import (
	"testing"
	"time"
)

// TestGroupsOfTodayBecomeOutdated checks which counts are requested again: those of today and of
// the current month.
func TestGroupsOfTodayBecomeOutdated(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		date       time.Time
		wholeMonth bool
		want       bool
	}{
		{today, false, true},
		{today.AddDate(0, 0, -1), false, false},
		{today.AddDate(0, 0, -1), true, true},
		{today.AddDate(0, 0, 1), true, true},
		{time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC), true, false},
	} {
		q := groupQuery{date: tt.date, wholeMonth: tt.wholeMonth}
		if got := q.becomesOutdated(today); got != tt.want {
			t.Errorf("%s, whole month %v: %v", tt.date.Format(time.DateOnly), tt.wholeMonth, got)
		}
	}
}
