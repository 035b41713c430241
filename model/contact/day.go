package contact

import "time"

// StartOfDay returns the start of the day that is n days after the day of t, in the time zone of t.
// If clocks go forward at midnight, the day begins at 1:00. If clocks go back to midnight, the day
// begins at the first midnight. StartOfDay corrects the result of time.Date, which may be 23:00 of
// the day before, or the second midnight.
func StartOfDay(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	day := time.Date(y, m, d+n, 12, 0, 0, 0, t.Location()).Day()
	start := time.Date(y, m, d+n, 0, 0, 0, 0, t.Location())
	const step = 15 * time.Minute // clocks change by multiples of 15 minutes, at multiples of 15 minutes
	for start.Day() != day {
		start = start.Add(step)
	}
	for start.Add(-step).Day() == day {
		start = start.Add(-step)
	}
	return start
}

// StartOfMonth returns the start of the month that is n months after the month of t, in the time
// zone of t.
func StartOfMonth(t time.Time, n int) time.Time {
	return StartOfDay(time.Date(t.Year(), t.Month()+time.Month(n), 1, 12, 0, 0, 0, t.Location()), 0)
}
