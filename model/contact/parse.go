package contact

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxDaysBack is the maximum number of days that a relative day such as "-7d" may go back.
const maxDaysBack = 3660

// ParseDay returns the day that text names, relative to now and in the time zone of now:
// "today", "yesterday", "monday" or "mon" for the last Monday before today, "-7d" for seven
// days ago, "-2w" for two weeks ago. ok is false for any other text.
func ParseDay(text string, now time.Time) (day time.Time, ok bool) {
	switch text = strings.ToLower(strings.TrimSpace(text)); text {
	case "today":
		return StartOfDay(now, 0), true
	case "yesterday":
		return StartOfDay(now, -1), true
	}
	for daysBack := 1; daysBack <= 7; daysBack++ {
		day := StartOfDay(now, -daysBack)
		if name := strings.ToLower(day.Weekday().String()); text == name || text == name[:3] {
			return day, true
		}
	}
	if len(text) < 3 || text[0] != '-' {
		return time.Time{}, false
	}
	daysPerUnit, known := map[byte]int{'d': 1, 'w': 7}[text[len(text)-1]]
	n, err := strconv.ParseUint(text[1:len(text)-1], 10, 16)
	if days := int(n) * daysPerUnit; known && err == nil && days <= maxDaysBack {
		return StartOfDay(now, -days), true
	}
	return time.Time{}, false
}

// ParseTimeOfDay parses a time of day (14:05, 14.05 or 14:05:20). It returns that time daysAgo days
// before the date of now, in the time zone of now. If the result would be after now, it returns
// that time on the day before now. ok is false if text is not a time of day.
func ParseTimeOfDay(text string, now time.Time, daysAgo int) (at time.Time, ok bool) {
	for _, form := range []string{"15:04", time.TimeOnly, "15.04"} {
		t, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		on := func(daysAgo int) time.Time {
			return time.Date(now.Year(), now.Month(), now.Day()-daysAgo, t.Hour(), t.Minute(), t.Second(), 0, now.Location())
		}
		if at = on(daysAgo); at.After(now) {
			at = on(1)
		}
		return at, true
	}
	return time.Time{}, false
}

// NextTimeOfDay parses a time of day like [ParseTimeOfDay]. It returns the next time after now at
// which it is that time of day. ok is false if text is not a time of day.
func NextTimeOfDay(text string, now time.Time) (at time.Time, ok bool) {
	if at, ok = ParseTimeOfDay(text, now, 0); ok && !at.After(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at, ok
}

// ParseTimeAgo parses a duration before now (40m, 5m ago), or a time of day like [ParseTimeOfDay],
// and returns the point in time. ok is false if text is neither.
func ParseTimeAgo(text string, now time.Time) (at time.Time, ok bool) {
	if d, err := time.ParseDuration(strings.TrimSuffix(text, " ago")); err == nil {
		return now.Add(-d.Abs()), true
	}
	return ParseTimeOfDay(text, now, 0)
}

// ParseInstant parses a date or a time. If text has no time zone, it is in loc.
func ParseInstant(text string, loc *time.Location) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateTime} {
		if t, err := time.ParseInLocation(layout, text, loc); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a day or a time: write it like 2026-03-17 or 2026-03-17T10:00", text)
}

// ParseDayOrInstant is like [ParseInstant], but also accepts days relative to now, such as
// "yesterday".
func ParseDayOrInstant(text string, now time.Time) (time.Time, error) {
	if day, ok := ParseDay(text, now); ok {
		return day, nil
	}
	return ParseInstant(text, now.Location())
}
