package forecast

import (
	"math"
	"time"

	"wallboard/model"
)

// Parameters of estimates from earlier days. The deviations were measured on simulated floors.
// Forecasts scale them with the errors on earlier days of the real floor; see [errorScale].
const (
	// shapeDeviation is the standard deviation of the miss rate of the rest of a day, but only of
	// the part that all services have in common.
	shapeDeviation = 0.025
	// callDeviation is the factor by which the standard deviation of the number of misses is higher
	// than for independent events.
	callDeviation = 2.3
	// volumeDeviation is the relative standard deviation of the ratio of the contacts to come to
	// the contacts so far.
	volumeDeviation = 0.02
	// Weights of assumed values compared with observed ones. priorDays and priorErrors are numbers
	// of days, and priorShift and priorVolume are numbers of calls.
	priorDays, priorErrors, priorShift, priorVolume = 4, 6, 100, 500
)

// pastDay holds the calls of an earlier day at three times: half an hour before a forecast's time
// of day, at that time, and at closing time.
type pastDay struct {
	halfHourAgo, now, end callCounts
}

// remainingCalls returns the calls between the time of day of the forecast and closing time.
func (d *pastDay) remainingCalls() callCounts { return d.end.plus(d.now, -1) }

// rateShift returns by how much the actual miss rate of the rest of the day exceeds the estimated
// one, and the number of calls behind the actual rate. If there are too few calls, ok is false.
// remaining is the time until closing.
func (d *pastDay) rateShift(remaining time.Duration) (shift, calls float64, ok bool) {
	rest := d.remainingCalls()
	if d.now.counted < MinCountedCalls || rest.counted <= 0 {
		return 0, 0, false
	}
	return rest.missed/rest.counted - d.estimatedRate(remaining), rest.counted, true
}

// estimatedRate returns the estimated miss rate of the rest of the day. The estimate uses only the
// calls until the time of the forecast.
func (d *pastDay) estimatedRate(remaining time.Duration) float64 {
	ago := d.now.plus(d.halfHourAgo, -1)
	return missRate(d.now.missed, d.now.counted, RecentCalls{Missed: ago.missed, Counted: ago.counted, Period: recentPeriod}, remaining)
}

// EarlierDays holds the data of earlier days for a forecast. The zero value has no days.
type EarlierDays struct {
	ownDays, floorDays []pastDay
	deviationScale     float64 // factor for the standard deviation of the miss rate; see [errorScale]
	remaining          time.Duration
}

// Days returns the number of earlier days.
func (e *EarlierDays) Days() int { return len(e.floorDays) }

// EarlierDays returns the data of earlier days for a forecast made at now and ending at closing.
// The forecast is for one service of a channel, or for several services together.
func (l *IntradayLog) EarlierDays(now, closing time.Time, ch model.Channel, services []string) EarlierDays {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.unscaledEarlierDays(now, ch, services, closing)[0]
	if out.Days() == 0 {
		return out
	}
	now = l.local(now)
	at := sinceMidnight(now)
	r := l.errorScaleAt(l.earlierDays(now), at, at+out.remaining, ch)
	if out.deviationScale = r.floor; len(services) == 1 {
		out.deviationScale = r.service
	}
	return out
}

// unscaledEarlierDays is like [IntradayLog.EarlierDays] but does not set deviationScale. It returns
// one result for each of closings, which must be in ascending order. The caller must hold mu.
func (l *IntradayLog) unscaledEarlierDays(now time.Time, ch model.Channel, services []string, closings ...time.Time) []EarlierDays {
	out := make([]EarlierDays, len(closings))
	now = l.local(now)
	at := sinceMidnight(now)
	ends := make([]time.Duration, len(closings))
	for i, closing := range closings {
		closing = l.local(closing)
		if ends[i] = sinceMidnight(closing); ends[i] == 0 {
			ends[i] = 24 * time.Hour
		}
		if ends[i] <= at || closing.Sub(now) > 24*time.Hour {
			ends[i] = 0
		}
		out[i].remaining = ends[i] - at
	}
	var of map[string]bool // codes of the services; nil: all services of the channel
	if len(services) > 1 {
		of = make(map[string]bool, len(services))
		for _, s := range services {
			of[s] = true
		}
	}
	for _, d := range l.earlierDays(now) {
		var own *IntradayCalls
		if len(services) == 1 {
			own = d.Services[model.ServiceKey{Code: services[0], Channel: ch}]
		}
		for i, floor := range d.sumServices(at, ch, of, ends...) {
			if floor.services == 0 || floor.now.counted < MinCountedCalls {
				continue
			}
			out[i].floorDays = append(out[i].floorDays, floor.pastDay)
			if own != nil {
				if p, ok := own.pastDayAt(at, ends[i]); ok {
					out[i].ownDays = append(out[i].ownDays, p)
				}
			}
		}
	}
	for i := range out {
		if len(out[i].floorDays) < MinCurveDays {
			out[i] = EarlierDays{}
		}
	}
	return out
}

// summedDay is the sum of pastDay values. services is the number of services.
type summedDay struct {
	pastDay

	services int
}

// sumServices returns the sum of the calls of the wanted services of a channel for each closing
// time in ends. If wanted is nil, it includes all services of the channel.
func (d *IntradayDay) sumServices(at time.Duration, ch model.Channel, wanted map[string]bool, ends ...time.Duration) []summedDay {
	sums := make([]summedDay, len(ends))
	for k, c := range d.Services {
		if k.Channel != ch || wanted != nil && !wanted[k.Code] {
			continue
		}
		for i, end := range ends {
			if p, known := c.pastDayAt(at, end); known {
				sum := &sums[i]
				sum.halfHourAgo, sum.now, sum.end = sum.halfHourAgo.plus(p.halfHourAgo, 1), sum.now.plus(p.now, 1), sum.end.plus(p.end, 1)
				sum.services++
			}
		}
	}
	return sums
}

// pastDayAt returns the calls for a forecast at the time of day at. end is the closing time. If
// some of the calls are unknown or the counters restarted in between, ok is false.
func (c *IntradayCalls) pastDayAt(at, end time.Duration) (p pastDay, ok bool) {
	ago, okAgo := c.callsAt(max(at-recentPeriod, 0))
	now, okNow := c.callsAt(at)
	over, okEnd := c.callsAt(end)
	rises := ago.received <= now.received && now.received <= over.received && ago.missed <= now.missed && now.missed <= over.missed
	return pastDay{ago, now, over}, okAgo && okNow && okEnd && rises // if the counters fell, they have restarted
}

type errorScaleKey struct {
	channel    model.Channel
	at, end    int // numbers of half hours since midnight
	days       int
	latestDate string
}

// errorScale holds the ratio of the actual to the expected deviation of estimates at a time of day.
// floor is for the whole floor, and service for single services. The actual deviation is found by
// estimating each earlier day from the other earlier days.
type errorScale struct{ floor, service float64 }

// errorScaleAt returns the error scale for a forecast at a time of day. end is the closing time.
// Results are cached per half hour.
func (l *IntradayLog) errorScaleAt(days []IntradayDay, at, end time.Duration, ch model.Channel) errorScale {
	const half = 30 * time.Minute
	at = at.Truncate(half)
	key := errorScaleKey{ch, int(at / half), int(end / half), len(days), days[0].Date}
	if r, ok := l.errorScales[key]; ok {
		return r
	}
	if len(l.errorScales) > HalfHours || l.errorScales == nil {
		l.errorScales = make(map[errorScaleKey]errorScale)
	}
	var floor []pastDay
	services := make(map[string][]pastDay)
	for _, d := range days {
		if sum := d.sumServices(at, ch, nil, end)[0]; sum.services > 0 {
			floor = append(floor, sum.pastDay)
		}
		for k, c := range d.Services {
			if p, ok := c.pastDayAt(at, end); ok && k.Channel == ch {
				services[k.Code] = append(services[k.Code], p)
			}
		}
	}
	remaining := end - at
	var floorErrors, serviceErrors squaredErrors
	floorErrors.addDays(floor, floor, remaining, false)
	for _, past := range services {
		serviceErrors.addDays(past, floor, remaining, true)
	}
	r := errorScale{floorErrors.deviationScale(), serviceErrors.deviationScale()}
	l.errorScales[key] = r
	return r
}

// squaredErrors holds the sum and the number of squared errors. The unit of an error is the
// expected standard deviation.
type squaredErrors struct{ sum, n float64 }

// deviationScale returns the root mean square of the errors, with some assumed errors of 1 added.
func (s *squaredErrors) deviationScale() float64 {
	return math.Sqrt((priorErrors + s.sum) / (priorErrors + s.n))
}

// addDays estimates each day of past from the other days and adds the error. floor holds the same
// days of the whole floor. service is true if past is for a single service.
func (s *squaredErrors) addDays(past, floor []pastDay, remaining time.Duration, service bool) {
	const worst = 25 // limit of a squared error, so that a single day does not widen all ranges
	for i := range past {
		shift, calls, ok := past[i].rateShift(remaining)
		others := withoutElement(past, i)
		if !ok || len(others) == 0 {
			continue
		}
		e := EarlierDays{floorDays: others, remaining: remaining}
		if service {
			e.ownDays, e.floorDays = others, withoutElement(floor, min(i, len(floor)-1))
		}
		estimate := past[i].estimatedRate(remaining)
		rate := clampShare(estimate + e.expectedShift())
		s.sum += min(math.Pow((estimate+shift-rate)/e.rateDeviation(rate, calls), 2), worst)
		s.n++
	}
}

// withoutElement returns a copy of past without the element at index i.
func withoutElement(past []pastDay, i int) []pastDay {
	out := make([]pastDay, 0, len(past))
	return append(append(out, past[:i]...), past[min(i+1, len(past)):]...)
}

// expectedShift returns by how much the miss rate of the rest of the day is expected to exceed the
// estimate from today alone.
func (e *EarlierDays) expectedShift() float64 {
	mean := func(past []pastDay) (sum, calls float64, days int) {
		for i := range past {
			if shift, n, ok := past[i].rateShift(e.remaining); ok {
				sum, calls, days = sum+shift*n, calls+n, days+1
			}
		}
		return sum, calls, days
	}
	sum, calls, days := mean(e.floorDays)
	if calls == 0 {
		return 0
	}
	shift := sum / calls * float64(days) / (float64(days) + 0.5)
	sum, calls, _ = mean(e.ownDays)
	return (sum + priorShift*shift) / (calls + priorShift)
}

// rateDeviation returns the expected standard deviation of the miss rate of a number of calls,
// without deviationScale.
func (e *EarlierDays) rateDeviation(rate, calls float64) float64 {
	const leastVariance = 0.02 // lower bound for the variance of a share
	variance := shapeDeviation*shapeDeviation + callDeviation*callDeviation*max(rate*(1-rate), leastVariance)/max(calls, 1)
	return math.Sqrt(variance * (1 + 1/float64(max(len(e.floorDays), 1))))
}

// expectedContacts returns the most likely number of contacts to come and its standard deviation.
// soFar is the number of contacts so far.
func (e *EarlierDays) expectedContacts(soFar float64) (likely, deviation float64) {
	ratio, squared := 0.0, 0.0
	ratioOf := func(p *pastDay) float64 { return max(p.remainingCalls().received, 0) / max(p.now.received, 1) }
	days := float64(len(e.floorDays))
	for i := range e.floorDays {
		ratio += ratioOf(&e.floorDays[i]) / days
	}
	for i := range e.floorDays {
		squared += math.Pow(ratioOf(&e.floorDays[i])/max(ratio, 1e-9)-1, 2)
	}
	floorDeviation := math.Sqrt((priorDays*volumeDeviation*volumeDeviation + squared) / (priorDays + days - 1))
	own := 0.0 // variance of the ratio computed from the service's own days
	if len(e.ownDays) > 0 {
		now, rest := 0.0, 0.0
		for i := range e.ownDays {
			now, rest = now+e.ownDays[i].now.received, rest+e.ownDays[i].remainingCalls().received
		}
		ratio, own = (rest+priorVolume*ratio)/(now+priorVolume), 1/(now+priorVolume)
	}
	likely = soFar * ratio
	return likely, math.Sqrt(likely + likely*likely*(1/soFar+own+floorDeviation*floorDeviation*(1+1/days)))
}
