package diagnosis

import (
	"math"
	"time"

	"wallboard/model"
)

// For short windows, arrivals are counted in slots of ten seconds, because a surge can start within
// half a minute. keptSlots is the number of stored slots.
const (
	slotLength = 10 * time.Second
	keptSlots  = 18
)

var rateWindows = [...]time.Duration{
	30 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute, 3 * time.Minute,
	4 * time.Minute, 6 * time.Minute, 10 * time.Minute, 15 * time.Minute,
}

// minLogLikelihood is the minimum log likelihood ratio of a changed rate to a constant one. It
// corresponds to a factor of 400. It is high because a queue is longest just after a random burst,
// and because many services and windows are tested.
const minLogLikelihood = 6

func newArrivalSlots() model.SeriesStore {
	return model.NewSeriesStore(1, slotLength, keptSlots*slotLength)
}

// countArrivals adds arrivals to the slot that contains now.
func (l *serviceHistory) countArrivals(arrivals float64, now time.Time) {
	if arrivals <= 0 {
		return
	}
	t := &l.arrivalSlots
	t.AdvanceTo(t.StepAt(now))
	if before := t.Get(0, t.Latest()); !model.IsGap(before) {
		arrivals += float64(before)
	}
	t.Put(0, float32(arrivals))
}

// ArrivalRate is the arrival rate of a service.
type ArrivalRate struct {
	PerSecond       float64       // current number of contacts per second
	Period          time.Duration // period behind PerSecond, without a burst; 0: unknown
	Changed         bool          // the rate has changed significantly within the last hour
	PerSecondBefore float64       // contacts per second before the change or burst
	Burst           Burst
}

// Burst is a recent period with clearly more or fewer arrivals than before and after it. The zero
// Burst means that there is none.
type Burst struct {
	From, To time.Time
	Arrivals float64
}

// ArrivalRate estimates the arrival rate of a service: the rate of the last hour or, if the rate
// has changed significantly, the rate since the change. A significant burst that has ended is left
// out.
func (t *History) ArrivalRate(k model.ServiceKey, now time.Time) ArrivalRate {
	l := t.serviceHistory(k)
	if l == nil {
		return ArrivalRate{}
	}
	hour := l.totalsBetween(now.Add(-usualSpan), now)
	if hour.Seconds <= 0 {
		return ArrivalRate{}
	}
	var seen [len(rateWindows)]arrivalCount // arrivals in each window that ends now
	for i, w := range rateWindows {
		seen[i] = l.lastArrivals(w, now)
	}
	all := arrivalCount{hour.Arrived, hour.Seconds}
	mean := all.arrivals / all.seconds
	out := ArrivalRate{PerSecond: mean, Period: time.Duration(all.seconds) * time.Second}
	most := float64(minLogLikelihood)
	for i, last := range seen {
		before := all.minus(last)
		if last.seconds <= 0 || before.seconds < last.seconds {
			continue
		}
		// Compute the log likelihood ratio of two rates, one for the window and one for the time
		// before, to a single rate.
		if likelier := last.logLikelihood(mean) + before.logLikelihood(mean); likelier > most {
			most = likelier
			out = ArrivalRate{last.arrivals / last.seconds, time.Duration(last.seconds) * time.Second, true, before.arrivals / before.seconds, Burst{}}
		}
		// The ratio for a burst that lies within the window and has ended.
		for _, since := range seen[:i] {
			burst, rest := last.minus(since), all.minus(last.minus(since))
			if since.seconds <= 0 || burst.seconds < slotLength.Seconds() || rest.seconds < burst.seconds {
				continue
			}
			if likelier := burst.logLikelihood(mean) + rest.logLikelihood(mean) - burstPenalty; likelier > most {
				most = likelier
				out = ArrivalRate{
					PerSecond: rest.arrivals / rest.seconds, Period: time.Duration(rest.seconds) * time.Second, PerSecondBefore: rest.arrivals / rest.seconds,
					Burst: Burst{now.Add(-time.Duration(last.seconds) * time.Second), now.Add(-time.Duration(since.seconds) * time.Second), burst.arrivals},
				}
			}
		}
	}
	if out.Burst != (Burst{}) {
		out.Burst, out.PerSecondBefore = l.burst.keepFirstReport(out.Burst, out.PerSecondBefore)
	}
	return out
}

// lastBurst is the last burst that was reported, with the contacts per second before the burst.
type lastBurst struct {
	Burst

	before float64
}

// burstGrowth is the factor by which the arrivals of a burst must exceed those of the last burst to
// count as a new burst.
const burstGrowth = 1.25

// keepFirstReport returns the figures with which a burst was first reported, because the moving windows
// would change the figures every few seconds. before is the number of contacts per second before
// the burst.
func (l *lastBurst) keepFirstReport(b Burst, before float64) (Burst, float64) {
	if overlap := b.From.Before(l.To) && l.From.Before(b.To); !overlap || b.Arrivals > burstGrowth*l.Arrivals {
		*l = lastBurst{b, before}
	}
	return l.Burst, l.before
}

// burstPenalty is subtracted from the log likelihood of a burst, because a burst has two changes of
// the rate instead of one.
const burstPenalty = 1

// arrivalCount holds the number of arrivals in a period and the number of observed seconds.
type arrivalCount struct{ arrivals, seconds float64 }

func (p arrivalCount) minus(o arrivalCount) arrivalCount {
	return arrivalCount{p.arrivals - o.arrivals, p.seconds - o.seconds}
}

// logLikelihood returns the log likelihood ratio of the observed rate of the period to the rate
// perSecond. It omits terms that cancel out when the ratios of all periods of the hour are added.
func (p arrivalCount) logLikelihood(perSecond float64) float64 {
	return logLikelihood(p.arrivals, perSecond*p.seconds)
}

// logLikelihood returns n log(n/expected).
func logLikelihood(n, expected float64) float64 {
	if n <= 0 || expected <= 0 {
		return 0
	}
	return n * math.Log(n/expected)
}

// lastArrivals returns the arrivals in the period of length w that ends now. If a short period was
// not completely observed, the result is zero.
func (l *serviceHistory) lastArrivals(w time.Duration, now time.Time) (p arrivalCount) {
	if w > keptSlots*slotLength-slotLength {
		for at, last := now.Add(-w).Unix()/60, now.Unix()/60; at <= last; at++ {
			if m, ok := l.minute(at); ok {
				p.arrivals, p.seconds = p.arrivals+m.Arrived, p.seconds+m.Seconds
			}
		}
		return p
	}
	first := now.Add(-w).Unix()/int64(slotLength.Seconds()) + 1
	from := time.Unix(first*int64(slotLength.Seconds()), 0)
	if l.observedSince.IsZero() || l.observedSince.After(from) {
		return arrivalCount{}
	}
	for slot := first; slot <= l.arrivalSlots.Latest(); slot++ {
		if n := l.arrivalSlots.Get(0, slot); !model.IsGap(n) {
			p.arrivals += float64(n)
		}
	}
	p.seconds = now.Sub(from).Seconds()
	return p
}
