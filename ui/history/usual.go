package history

import (
	"maps"
	"sync/atomic"
	"time"

	"wallboard/model"
	"wallboard/model/past"
)

// Usual tells what usually comes. Unlike the rest of a board it may be asked from any
// goroutine: an engine that several boards share is told by it.
type Usual struct {
	days atomic.Pointer[map[past.Kind]comparedDay]
}

// know takes over what is known of today.
func (u *Usual) know(days map[past.Kind]comparedDay) {
	days = maps.Clone(days)
	u.days.Store(&days)
}

// Least of the day for its usual rate to be told of a service.
const (
	leastOfFloor   = 50
	leastOfService = 5
)

// Rate returns how many contacts a minute usually come for a service at a time: what is
// usual of the whole floor in that hour, of which the service gets its share of today.
func (u *Usual) Rate(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool) {
	kind, some := past.KindOn(k.Channel)
	days := u.days.Load()
	if !some || s == nil || days == nil {
		return 0, "", false
	}
	d, known := (*days)[kind]
	if !known || d.err != "" || !d.on(at) {
		return 0, "", false
	}
	hour := &d.Usual.Hours[at.In(d.Day.Date.Location()).Hour()]
	all, own := int64(0), int64(0)
	for r := range s.Services.All() {
		n := r.ChannelStats.ReceivedCalls.Or(0)
		if r.Channel == k.Channel {
			all += n
		}
		if r.Key() == k {
			own = n
		}
	}
	if hour.Days == 0 || all < leastOfFloor || own < leastOfService {
		return 0, "", false
	}
	basis = "the floor on " + d.Usual.Weekday.String() + "s, and this service's share of today"
	return hour.Median / 60 * float64(own) / float64(all), basis, true
}

// on reports whether a time is on this day of the contact center.
func (d *comparedDay) on(at time.Time) bool {
	x, y := d.Day.At.In(d.Day.Date.Location()), at.In(d.Day.Date.Location())
	return x.Year() == y.Year() && x.YearDay() == y.YearDay()
}
