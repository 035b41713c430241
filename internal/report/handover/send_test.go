package handover

import (
	"strings"
	"testing"
	"time"
)

func TestShiftBegin(t *testing.T) {
	t.Parallel()
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	now := time.Date(2026, 3, 29, 10, 42, 17, 0, rome) // the clocks went forward at two
	for text, want := range map[string]string{
		"":                          "2026-03-29T01:42:17+01:00", // eight hours ago
		"90m":                       "2026-03-29T09:12:17+02:00",
		"-90m":                      "2026-03-29T09:12:17+02:00",
		"06:00":                     "2026-03-29T06:00:00+02:00",
		"22:00":                     "2026-03-28T22:00:00+01:00", // 22:00 of the previous day
		"2026-03-28":                "2026-03-28T00:00:00+01:00",
		"2026-03-28T14:30":          "2026-03-28T14:30:00+01:00",
		"2026-03-28T14:30:00-05:00": "2026-03-28T14:30:00-05:00",
		"2026-03-30":                "2026-03-30 is to come",
		"noon":                      `"noon": want a time of today`,
		"25:00":                     `"25:00": want a time of today`,
	} {
		at, err := ParseStart(text, now, 8*time.Hour)
		got := at.Format(time.RFC3339)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
