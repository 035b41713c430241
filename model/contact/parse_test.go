package contact

import (
	"strings"
	"testing"
	"time"
)

func TestDayNamed(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 17, 10, 42, 0, 0, time.UTC) // a Tuesday
	for text, want := range map[string]string{
		"today": "2026-03-17", " Yesterday ": "2026-03-16", "monday": "2026-03-16", "Tue": "2026-03-10", "sunday": "2026-03-15",
		"-7d": "2026-03-10", "-2w": "2026-03-03", "-0d": "2026-03-17",
		"": "", "2026-03-01": "", "-d": "", "--7d": "", "-7": "", "7d": "", "-+7d": "", "-99999d": "", "-3661d": "", "mo": "", "-7m": "",
		"-" + strings.Repeat("9", 1<<20) + "d": "",
	} {
		got := ""
		if day, ok := ParseDay(text, now); ok {
			got = day.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%.20q is %q, want %q", text, got, want)
		}
	}
}

func TestLately(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 17, 10, 42, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"40m": "2026-03-17 10:02:00", "40m ago": "2026-03-17 10:02:00", "10:42 ago": "", "-40m": "2026-03-17 10:02:00", "25h": "2026-03-16 09:42:00",
		"10:42": "2026-03-17 10:42:00", "10:42:01": "2026-03-16 10:42:01", "9.05": "2026-03-17 09:05:00", "14:05": "2026-03-16 14:05:00",
		"": "", "40": "", "24:00": "", "noon": "", "14:05 sharp": "", "99999999999999999999m": "",
	} {
		got := ""
		if at, ok := ParseTimeAgo(text, now); ok {
			got = at.Format(time.DateTime)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
