package past

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
		if day, ok := DayNamed(text, now); ok {
			got = day.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%.20q is %q, want %q", text, got, want)
		}
	}
}
