package past

import "time"

// StartOfDay returns when the day began that is n days after that of t, in the
// time zone of t. Where clocks are put forward at midnight, a day begins at one;
// where they are put back to it, with the first midnight. time.Date may return
// an hour before and the second midnight.
func StartOfDay(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	day := time.Date(y, m, d+n, 12, 0, 0, 0, t.Location()).Day()
	start := time.Date(y, m, d+n, 0, 0, 0, 0, t.Location())
	const step = 15 * time.Minute // all changes of clocks are whole ones of
	for start.Day() != day {
		start = start.Add(step)
	}
	for start.Add(-step).Day() == day {
		start = start.Add(-step)
	}
	return start
}

// StartOfMonth returns when the month began that is n months after that of t, in
// the time zone of t.
func StartOfMonth(t time.Time, n int) time.Time {
	return StartOfDay(time.Date(t.Year(), t.Month()+time.Month(n), 1, 12, 0, 0, 0, t.Location()), 0)
}
