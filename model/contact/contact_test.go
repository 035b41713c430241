package contact_test

import (
	"testing"
	"time"

	"wallboard/model/contact"
)

// TestStartOfDay checks that a day begins when its date begins, even if the clocks change at midnight.
func TestStartOfDay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ zone, of, before, want string }{
		{"UTC", "2026-03-01T10:00:00", "2026-02-28T23:59:59", "2026-03-01T00:00:00"},
		{"Europe/Rome", "2026-03-29T12:00:00", "2026-03-28T23:59:59", "2026-03-29T00:00:00"},
		{"America/Santiago", "2025-09-07T10:00:00", "2025-09-06T23:59:59", "2025-09-07T01:00:00"}, // no midnight
		{"America/Havana", "2025-03-09T10:00:00", "2025-03-08T23:59:59", "2025-03-09T01:00:00"},   // no midnight
		{"America/Havana", "2025-11-02T10:00:00", "2025-11-01T23:59:59", "2025-11-02T00:00:00"},   // midnight twice
	} {
		loc, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Skip(err)
		}
		const layout = "2006-01-02T15:04:05"
		of, err := time.ParseInLocation(layout, tt.of, loc)
		if err != nil {
			t.Fatal(err)
		}
		for n, from := range map[int]time.Time{0: of, 1: of.AddDate(0, 0, -1), -7: of.AddDate(0, 0, 7)} {
			start := contact.StartOfDay(from, n)
			if got, before := start.Format(layout), start.Add(-time.Second).Format(layout); got != tt.want || before != tt.before {
				t.Errorf("%s, %d days after %s: %s after %s, want %s after %s", tt.zone, n, from, got, before, tt.want, tt.before)
			}
		}
	}
	if got := contact.StartOfMonth(time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC), 1); !got.Equal(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("a month after January is %s", got)
	}
}

// TestVolume checks that a count outside the range is never VolumeAsUsual, and that a small difference is not
// noteworthy.
func TestVolume(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]contact.Volume{
		95: contact.VolumeFewer, 96: contact.VolumeSlightlyFewer, 98: contact.VolumeAsUsual, 102: contact.VolumeAsUsual, 104: contact.VolumeSlightlyMore, 106: contact.VolumeMore,
	} {
		c := contact.Comparison{
			Day: contact.Day{Hours: []contact.Hour{{Count: count, Known: true}}}, SoFar: contact.TypicalRange{Median: 100, Low: 98, High: 102, Days: 4},
		}
		if got := c.Volume(); got != want {
			t.Errorf("%d where 98 to 102 are usual: %d, want %d", count, got, want)
		}
	}
	if got := (contact.Comparison{SoFar: contact.TypicalRange{Days: 4}}).Volume(); got != contact.VolumeNotComparable {
		t.Errorf("a day of which nothing is known is %d", got)
	}
}
