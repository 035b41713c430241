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
	beyond := max(until.Sub(clock), 0)
	opens := o.Start.Add(time.Duration(float64(beyond) * cmp.Or(o.Pace, 1)))
	if opens.Day() != o.Start.Day() { // the start would be on the next day
		opens, beyond = o.Start, 0
	}
	o.Rate = cmp.Or(o.Rate, 1) * world.WeekdayTraffic(clock.Weekday()) / world.WeekdayTraffic(o.Clock.Weekday())
	o.Start, o.Clock = opens, clock.Add(beyond)
	w := world.NewAtDayStart(o)
	w.Reseed(o.Seed + int64(ago))
	return &PastDay{world: w, longest: longestOf(o)}
}
