package demo

import (
	"cmp"
	"time"

	"wallboard/internal/simulator/world"
)

// EarlierDay returns an earlier day, from its beginning until an instant. It has the same floor
// with other random events, and the traffic of its weekday.
func EarlierDay(o world.Options, ago int, until time.Time) *PastDay {
	clock := o.Clock.AddDate(0, 0, -ago)
	elapsed := max(until.Sub(clock), 0)
	start := o.Start.Add(time.Duration(float64(elapsed) * cmp.Or(o.Pace, 1)))
	if start.Day() != o.Start.Day() { // the start would be on the next day
		start, elapsed = o.Start, 0
	}
	o.Rate = cmp.Or(o.Rate, 1) * world.WeekdayTraffic(clock.Weekday()) / world.WeekdayTraffic(o.Clock.Weekday())
	o.Start, o.Clock = start, clock.Add(elapsed)
	w := world.NewAtDayStart(o)
	w.Reseed(o.Seed + int64(ago))
	return &PastDay{world: w, waitMeaning: knownWaitMeaning(o)}
}
