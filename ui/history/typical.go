package history

import (
	"maps"
	"sync/atomic"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// VolumeEstimator estimates the typical number of calls of a service. Unlike the rest of the package, it is
// safe for concurrent use, because it is called by an alert engine that several boards share.
type VolumeEstimator struct {
	days atomic.Pointer[map[contact.Kind]comparedDay]
}

// setDays sets the comparisons of today with earlier days, by kind of contact.
func (u *VolumeEstimator) setDays(days map[contact.Kind]comparedDay) {
	days = maps.Clone(days)
	u.days.Store(&days)
}

// Minimum numbers of calls today, for the floor and for a service, for estimating the rate of the
// service.
const (
	minFloorCalls   = 50
	minServiceCalls = 5
)

// TypicalRate returns the typical number of contacts per minute of a service: the typical rate of the
// floor in the hour of at, times the service's share of today's contacts. basis describes the basis
// of the estimate in words. ok is false if there is too little data.
func (u *VolumeEstimator) TypicalRate(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis words.Text, ok bool) {
	kind, hasKind := contact.KindForChannel(k.Channel)
	days := u.days.Load()
	if !hasKind || s == nil || days == nil {
		return 0, words.Text{}, false
	}
	d, known := (*days)[kind]
	if !known || d.err != nil || !d.isSameDay(at) {
		return 0, words.Text{}, false
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
		return 0, words.Text{}, false
	}
	basis = words.HistoryTypicalBasis(words.Weekdays(d.Baseline.Weekday))
	return hour.Median / 60 * float64(serviceCalls) / float64(all), basis, true
}

// isSameDay reports whether the time at is on the compared day, in the contact center's time zone.
func (d *comparedDay) isSameDay(at time.Time) bool {
	x, y := d.Day.At.In(d.Day.Date.Location()), at.In(d.Day.Date.Location())
	return x.Year() == y.Year() && x.YearDay() == y.YearDay()
}
