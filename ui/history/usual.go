package history

import (
	"maps"
	"sync/atomic"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// Typical estimates the typical number of calls of services. Unlike the rest of the package, it is
// safe for concurrent use, because an alert engine that several boards share calls it.
type Typical struct {
	days atomic.Pointer[map[contact.Kind]comparedDay]
}

// setDays replaces the comparisons of today from which numbers of calls are estimated.
func (u *Typical) setDays(days map[contact.Kind]comparedDay) {
	days = maps.Clone(days)
	u.days.Store(&days)
}

// Minimum numbers of calls today, of the floor and of a service, from which the rate of the service
// can be estimated.
const (
	minFloorCalls   = 50
	minServiceCalls = 5
)

// Rate returns the typical number of contacts per minute of a service. It multiplies the floor's
// typical rate in the hour of at by the service's share of today's contacts. basis says in words on
// what the estimate is based. ok is false if there is too little data for an estimate.
func (u *Typical) Rate(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool) {
	kind, some := contact.KindOn(k.Channel)
	days := u.days.Load()
	if !some || s == nil || days == nil {
		return 0, "", false
	}
	d, known := (*days)[kind]
	if !known || d.err != "" || !d.isSameDay(at) {
		return 0, "", false
	}
	hour := &d.Baseline.Hours[at.In(d.Day.Date.Location()).Hour()]
	all, serviceCalls := int64(0), int64(0)
	for r := range s.Services.All() {
		n := r.ChannelStats.ReceivedCalls.Or(0)
		if r.Channel == k.Channel {
			all += n
		}
		if r.Key() == k {
			serviceCalls = n
		}
	}
	if hour.Days == 0 || all < minFloorCalls || serviceCalls < minServiceCalls {
		return 0, "", false
	}
	basis = "an estimate from the whole floor on " + d.Baseline.Weekday.String() + "s"
	return hour.Median / 60 * float64(serviceCalls) / float64(all), basis, true
}

// isSameDay reports whether the time at is on the compared day, in the contact center's time zone.
func (d *comparedDay) isSameDay(at time.Time) bool {
	x, y := d.Day.At.In(d.Day.Date.Location()), at.In(d.Day.Date.Location())
	return x.Year() == y.Year() && x.YearDay() == y.YearDay()
}
