package demo

import (
	"cmp"
	"math"
	"time"

	"wallboard/internal/simulator/world"
)

// OpeningTime and ClosingTime are the times of day at which the services of a simulated day
// open and close.
const (
	OpeningTime = 8 * time.Hour
	ClosingTime = 20 * time.Hour
)

// ClockAt returns the time on the platform's clock at a time of day of the simulated day. The
// simulated day is the day of o.Start, which may differ from the date on the clock (see
// [world.OpeningTime]).
func ClockAt(o world.Options, timeOfDay time.Duration) time.Time {
	y, m, d := o.Start.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, o.Start.Location())
	return o.Clock.Add(time.Duration(float64(midnight.Add(timeOfDay).Sub(o.Start)) / cmp.Or(o.Pace, 1)))
}

// DaysAgo returns the number of days from the simulated day that contains at, a time on the
// platform's clock, to the day of o.Start.
func DaysAgo(o world.Options, at time.Time) int {
	const day = 24 * time.Hour
	return int(math.Floor(float64(ClockAt(o, day).Sub(at)-1) / float64(day)))
}

// EarlierDay returns the simulated day that lies ago days before that of o.Start. The day ends
// at until on the platform's clock, but not before the time of day of o.Clock and not after
// midnight. It has the services, groups and agents of o, different random events, and the
// traffic of its own weekday.
func EarlierDay(o world.Options, ago int, until time.Time) *PastDay {
	clock := o.Clock.AddDate(0, 0, -ago)
	last := ClockAt(o, 24*time.Hour-time.Second).AddDate(0, 0, -ago)
	if until.After(last) {
		until = last
	}
	elapsed := max(until.Sub(clock), 0)
	start := o.Start.Add(time.Duration(float64(elapsed) * cmp.Or(o.Pace, 1)))
	o.TrafficFactor = cmp.Or(o.TrafficFactor, 1) * world.WeekdayTraffic(clock.Weekday()) / world.WeekdayTraffic(o.Clock.Weekday())
	o.Start, o.Clock = start, clock.Add(elapsed)
	w := world.NewAtDayStart(o)
	w.Reseed(o.Seed + int64(ago))
	return &PastDay{world: w, waitMeaning: knownWaitMeaning(o)}
}
