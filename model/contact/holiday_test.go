package contact_test

import (
	"testing"
	"time"

	"wallboard/model/contact"
)

// TestHolidays checks dates of one year and of every year, in the zone of the time.
func TestHolidays(t *testing.T) {
	t.Parallel()
	var list contact.Holidays
	for _, text := range []string{"12-25", "2026-04-06", "02-29"} {
		h, err := contact.ParseHoliday(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, h)
	}
	tokyo := time.FixedZone("", 9*3600)
	for _, tt := range []struct {
		at   time.Time
		want bool
	}{
		{time.Date(2026, 12, 25, 23, 59, 0, 0, time.UTC), true},
		{time.Date(2031, 12, 25, 0, 0, 0, 0, time.UTC), true},
		{time.Date(2026, 12, 24, 20, 0, 0, 0, time.UTC).In(tokyo), true},
		{time.Date(2026, 12, 25, 20, 0, 0, 0, time.UTC).In(tokyo), false},
		{time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC), true},
		{time.Date(2027, 4, 6, 12, 0, 0, 0, time.UTC), false},
		{time.Date(2028, 2, 29, 12, 0, 0, 0, time.UTC), true},
	} {
		if got := list.Includes(tt.at); got != tt.want {
			t.Errorf("%v: %v", tt.at, got)
		}
	}
	for _, text := range []string{"", "25.12.", "2026-13-01", "2026-02-30", "12-32", "every friday"} {
		if h, err := contact.ParseHoliday(text); err == nil {
			t.Errorf("%q is %v", text, h)
		}
	}
}
