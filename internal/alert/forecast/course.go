package forecast

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// HalfHours is the number of half hours in a day.
const HalfHours = 48

// Limits of an [IntradayLog].
const (
	keptDays    = 21   // maximum number of recorded days
	usedDays    = 10   // maximum number of comparable earlier days in a forecast
	maxServices = 2000 // maximum number of services of a day
	// sampleWithin limits how long after the start of a half hour its counters can be stored.
	sampleWithin = 5 * time.Minute
)

// Calls holds the numbers of calls of a service since midnight.
type Calls struct {
	Received, Counted, Missed uint32 // Counted are the calls that count for the service level; Missed are those of Counted not answered in time
}

// IntradayCalls holds the numbers of calls of a service at each half hour of a day, counted since
// midnight.
type IntradayCalls struct {
	Calls [HalfHours + 1]Calls
	Known [HalfHours + 1]bool
}

// setCalls stores the counters at the half hour slot. If an earlier half hour has higher counters,
// the counters have restarted since, and setCalls drops that half hour and all earlier ones.
func (c *IntradayCalls) setCalls(slot int, calls Calls) {
	for i := slot - 1; i > 0; i-- {
		if c.Known[i] && (c.Calls[i].Received > calls.Received || c.Calls[i].Missed > calls.Missed) {
			clear(c.Known[:i+1])
			break
		}
	}
	c.Calls[slot], c.Known[slot] = calls, true
}

// callCounts is like [Calls] but with floating-point numbers.
type callCounts struct{ received, counted, missed float64 }

func (a callCounts) plus(b callCounts, weight float64) callCounts {
	return callCounts{a.received + weight*b.received, a.counted + weight*b.counted, a.missed + weight*b.missed}
}

// callsAt returns the calls at a time of day, interpolated between two half hours. After 23:30 it
// extrapolates from 23:00 and 23:30, because the counters restart at midnight. If a necessary half
// hour is unknown, ok is false.
func (c *IntradayCalls) callsAt(timeOfDay time.Duration) (n callCounts, ok bool) {
	const half, last = 30 * time.Minute, HalfHours - 1
	slot := min(int(timeOfDay/half), last)
	part := float64(timeOfDay-time.Duration(slot)*half) / float64(half)
	from := slot // a part of the growth from this half hour to the next is added
	if slot == last {
		from = last - 1
	}
	counts := func(i int) callCounts {
		return callCounts{float64(c.Calls[i].Received), float64(c.Calls[i].Counted), float64(c.Calls[i].Missed)}
	}
	if !c.Known[slot] || part > 0 && (!c.Known[from] || !c.Known[from+1]) {
		return n, false
	}
	if n = counts(slot); part > 0 {
		n = n.plus(counts(from+1), part).plus(counts(from), -part)
	}
	return n, true
}

// IntradayDay holds the courses of all services on one day.
type IntradayDay struct {
	Date     string // 2006-01-02
	Services map[model.ServiceKey]*IntradayCalls
	Agents   map[model.Channel]*AgentsByHalfHour // logged-in agents
	// ShownForecasts holds the forecasts that were shown, by service and half hour since midnight. A service
	// with the code "" means all services of a channel.
	ShownForecasts map[model.ServiceKey]map[int]ShownForecast
}

// IntradayLog holds the courses of all services on the last days. It is safe for concurrent use. The
// zero value is ready to use.
type IntradayLog struct {
	mu       sync.Mutex
	zone     *time.Location // time zone of the days; nil: the zone of this machine
	days     []IntradayDay  // sorted by date
	changed  bool           // see [IntradayLog.ConsumeChange]
	reading  bool           // earlier days are still being read; see SetReading
	platform int            // increases with each call of [IntradayLog.Restart]
	holidays contact.Holidays

	errorScales map[errorScaleKey]errorScale // see [errorScale]; nil after the days have changed
}

// Restart drops all days. Callers use it when the log is for another platform or time zone from
// then on.
func (l *IntradayLog) Restart(zone *time.Location) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.zone, l.days, l.changed, l.errorScales, l.platform = zone, nil, false, nil, l.platform+1
}

// SetReading sets whether earlier days are still being read. A forecast without days mentions it.
func (l *IntradayLog) SetReading(reading bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reading = reading
}

// SetHolidays sets the holidays. They are not compared with any other day.
func (l *IntradayLog) SetHolidays(holidays contact.Holidays) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holidays, l.errorScales = holidays, nil
}

// IsHoliday reports whether the date of t is a holiday.
func (l *IntradayLog) IsHoliday(t time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holidays.Includes(l.local(t))
}

// areComparable reports whether the courses of two days can be compared: both are working days or
// the same day of the week, and neither is a holiday.
func (l *IntradayLog) areComparable(a, b time.Time) bool {
	return !l.holidays.Includes(a) && !l.holidays.Includes(b) && areComparable(a.Weekday(), b.Weekday())
}

// Platform returns a number that increases with each call of [IntradayLog.Restart].
func (l *IntradayLog) Platform() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.platform
}

// Local returns t in the time zone of the log.
func (l *IntradayLog) Local(t time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.local(t)
}

// local is like [IntradayLog.Local] for callers that hold mu.
func (l *IntradayLog) local(t time.Time) time.Time {
	if l.zone == nil {
		return t.Local()
	}
	return t.In(l.zone)
}

// Update stores the counters of a snapshot if a half hour has just begun and the figures of
// services are current. now is the server time. formula returns the way in which a service counts
// abandoned calls.
func (l *IntradayLog) Update(s *model.Snapshot, now time.Time, formula func(code string) model.ServiceLevelFormula) {
	if !s.Health.IsCurrent(model.OpServices) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now = l.local(now)
	slot := int(sinceMidnight(now) / (30 * time.Minute))
	if slot == 0 || sinceMidnight(now)%(30*time.Minute) >= sampleWithin {
		return
	}
	day := l.dayOf(now.Format(time.DateOnly))
	if s.Health.IsCurrent(model.OpUserStats) && day.countAgents(s, slot) {
		l.changed = true
	}
	for r := range s.Services.All() {
		c := day.Services[r.Key()]
		if c != nil && c.Known[slot] {
			continue
		}
		received, ok := r.ChannelStats.ReceivedCalls.Get()
		inTime, counted, okCounts := r.ChannelStats.ServiceLevelCounts(formula(r.Key().Code))
		if !ok || !okCounts || received < 0 || counted > math.MaxUint32 || received > math.MaxUint32 {
			continue
		}
		if c == nil {
			if len(day.Services) >= maxServices {
				continue
			}
			c = &IntradayCalls{}
			c.Known[0] = true
			day.Services[r.Key()] = c
		}
		c.setCalls(slot, Calls{uint32(received), uint32(counted), uint32(counted - inTime)}) //nolint:gosec // checked above
		l.changed, l.errorScales = true, nil
	}
}

// findDay returns the index of a date in l.days. If there is no such day, found is false and i is
// the index at which to insert it.
func (l *IntradayLog) findDay(date string) (i int, found bool) {
	return slices.BinarySearchFunc(l.days, date, func(d IntradayDay, date string) int { return strings.Compare(d.Date, date) })
}

// isComplete reports whether the log has counters of at least one service for most of the day.
func (d *IntradayDay) isComplete() bool {
	for _, c := range d.Services {
		known := 0
		for _, is := range c.Known {
			if is {
				known++
			}
		}
		if known > HalfHours*3/4 {
			return true
		}
	}
	return false
}

// dayOf returns the entry for a date. If the entry is missing, dayOf creates it and drops the
// oldest day if there are too many.
func (l *IntradayLog) dayOf(date string) *IntradayDay {
	i, found := l.findDay(date)
	if !found {
		l.days = slices.Insert(l.days, i, IntradayDay{Date: date, Services: make(map[model.ServiceKey]*IntradayCalls)})
		if len(l.days) > keptDays && i > 0 {
			l.days, i = slices.Delete(l.days, 0, 1), i-1
		}
	}
	return &l.days[i]
}

// Merge adds recorded days. It does not change counters that the log already has. It ignores
// recorded counters from before a restart of the counters.
func (l *IntradayLog) Merge(days []IntradayDay) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range days {
		if _, err := time.Parse(time.DateOnly, d.Date); err != nil {
			continue
		}
		own := l.dayOf(d.Date)
		own.mergeAgents(d.Agents)
		own.mergeShown(d.ShownForecasts)
		for k, c := range d.Services {
			mine := own.Services[k]
			if mine == nil {
				if len(own.Services) < maxServices {
					own.Services[k], l.errorScales = new(*c), nil
				}
				continue
			}
			if mine.fillFrom(c) {
				l.errorScales = nil
			}
		}
	}
}

// fillFrom adds the half hours that c lacks from more, except those whose counters are higher than
// those of a later half hour. It reports whether it added any.
func (c *IntradayCalls) fillFrom(more *IntradayCalls) (added bool) {
	var later Calls
	known := false
	for i := HalfHours; i >= 0; i-- {
		if !c.Known[i] && more.Known[i] && (!known || more.Calls[i].Received <= later.Received && more.Calls[i].Missed <= later.Missed) {
			c.Calls[i], c.Known[i], added = more.Calls[i], true, true
		}
		if c.Known[i] {
			later, known = c.Calls[i], true
		}
	}
	return added
}

// ConsumeChange reports whether today's data have grown since the last call. Merged days do not count.
func (l *IntradayLog) ConsumeChange() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := l.changed
	l.changed = false
	return changed
}

// MissingTimes returns the half hours of incomplete days, in ascending order, for the latest days
// that are comparable with today. now is the server time.
func (l *IntradayLog) MissingTimes(now time.Time) []time.Time {
	const learnt, longAgo = 4, 28 // days
	l.mu.Lock()
	defer l.mu.Unlock()
	now = l.local(now)
	var out []time.Time
	for ago, found := 1, 0; ago <= longAgo && found < learnt; ago++ {
		day := contact.StartOfDay(now, -ago)
		if !l.areComparable(day, now) {
			continue
		}
		found++
		if i, has := l.findDay(day.Format(time.DateOnly)); has && l.days[i].isComplete() {
			continue
		}
		for slot := 1; slot < HalfHours; slot++ {
			out = append(out, time.Date(day.Year(), day.Month(), day.Day(), slot/2, slot%2*30, 0, 0, day.Location()))
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return out
}

func areComparable(a, b time.Weekday) bool { return a == b || isWorkday(a) && isWorkday(b) }

// Days returns a copy of all days.
func (l *IntradayLog) Days() []IntradayDay {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]IntradayDay, len(l.days))
	for i, d := range l.days {
		out[i] = IntradayDay{Date: d.Date, Services: make(map[model.ServiceKey]*IntradayCalls, len(d.Services)), Agents: cloneAgents(d.Agents)}
		out[i].mergeShown(d.ShownForecasts)
		for k, c := range d.Services {
			out[i].Services[k] = new(*c)
		}
	}
	return out
}

// sinceMidnight returns the time of day of t in its location.
func sinceMidnight(t time.Time) time.Duration {
	h, m, s := t.Clock()
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second
}

// earlierDays returns the latest days before today that are comparable with today, latest first.
func (l *IntradayLog) earlierDays(now time.Time) []IntradayDay {
	var out []IntradayDay
	today := now.Format(time.DateOnly)
	for _, d := range slices.Backward(l.days) {
		date, err := time.Parse(time.DateOnly, d.Date)
		if err != nil || d.Date >= today || len(out) == usedDays {
			continue
		}
		if l.areComparable(date, now) {
			out = append(out, d)
		}
	}
	return out
}
