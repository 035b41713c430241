package contact

import (
	"fmt"
	"time"
)

// Holiday is a day whose contacts cannot be compared with those of other days.
type Holiday struct {
	Year  int // 0: every year
	Month time.Month
	Day   int
	Name  string
}

// ParseHoliday parses the date of a holiday: "2026-12-25", or "12-25" for every year.
func ParseHoliday(text string) (Holiday, error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return Holiday{Year: t.Year(), Month: t.Month(), Day: t.Day()}, nil
	}
	const leapYear = "2024-" // a leap year, so that 02-29 is valid
	t, err := time.Parse(time.DateOnly, leapYear+text)
	if err != nil {
		return Holiday{}, fmt.Errorf("%q is not a date", text)
	}
	return Holiday{Month: t.Month(), Day: t.Day()}, nil
}

// Holidays is a list of holidays.
type Holidays []Holiday

// HolidayOn returns the holiday on the date of t in the time zone of t. ok is false if there is none.
func (h Holidays) HolidayOn(t time.Time) (holiday Holiday, ok bool) {
	year, month, day := t.Date()
	for _, one := range h {
		if one.Day == day && one.Month == month && (one.Year == 0 || one.Year == year) {
			return one, true
		}
	}
	return Holiday{}, false
}

// Includes reports whether the date of t in the time zone of t is a holiday.
func (h Holidays) Includes(t time.Time) bool {
	_, ok := h.HolidayOn(t)
	return ok
}
