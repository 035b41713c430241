package before

import (
	"cmp"
	"time"

	"wallboard/simulator/world"
)

// Other returns an earlier day, from its beginning until an instant. It has the same floor
// with other random events, and the traffic of its weekday.
func Other(o world.Options, ago int, until time.Time) *Day {
	clock := o.Clock.AddDate(0, 0, -ago)
	beyond := max(until.Sub(clock), 0)
	opens := o.Start.Add(time.Duration(float64(beyond) * cmp.Or(o.Pace, 1)))
	if opens.Day() != o.Start.Day() { // the start would be on the next day
		opens, beyond = o.Start, 0
	}
	o.Rate = cmp.Or(o.Rate, 1) * world.WeekdayTraffic(clock.Weekday()) / world.WeekdayTraffic(o.Clock.Weekday())
	o.Start, o.Clock = opens, clock.Add(beyond)
	w := world.Dawn(o)
	w.Turn(o.Seed + int64(ago))
	return &Day{world: w, longest: longestOf(o)}
}
