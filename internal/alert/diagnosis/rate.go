package diagnosis

import (
	"math"
	"time"

	"wallboard/model"
)

// Windows in which a change of the arrival rate is searched. The short ones use counts
// per ten seconds, because a surge can start within half a minute.
const (
	tickLasts = 10 * time.Second
	ticks     = 18
)

var windows = [...]time.Duration{
	30 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute, 3 * time.Minute,
	4 * time.Minute, 6 * time.Minute, 10 * time.Minute, 15 * time.Minute,
}

// minLikelihood is the minimal log likelihood ratio of a changed rate against a constant one:
// a factor of 400. The threshold is high because queues peak just after random bursts,
// and because many services and windows are tested.
const minLikelihood = 6

// tick holds the arrivals of ten seconds.
type tick struct {
	at   int64 // number of the interval since 1970; 0: unused
	came float64
}

// countArrivals counts arrivals.
func (l *line) countArrivals(n float64, now time.Time) {
	if n <= 0 {
		return
	}
	at := now.Unix() / int64(tickLasts.Seconds())
	t := &l.ticks[at%ticks]
	if t.at != at {
		*t = tick{at: at}
	}
	t.came += n
}

// Rate is the arrival rate of a service.
type Rate struct {
	PerSecond float64       // current rate
	Over      time.Duration // period behind PerSecond without a burst; 0: unknown
	Changed   bool          // the rate has changed clearly within the last hour
	Before    float64       // contacts per second before the change or burst
	Burst     Burst
}

// Burst is a recent period with clearly more or fewer arrivals than before and after.
// The zero Burst means that there was none.
type Burst struct {
	From, To time.Time
	Came     float64
}

// Rate estimates the arrival rate of a service: over the last hour; or over its last
// part if the rate has changed significantly; or without a significant burst that has
// ended.
func (t *History) Rate(k model.ServiceKey, now time.Time) Rate {
	l := t.lineOf(k)
	if l == nil {
		return Rate{}
	}
	hour := l.span(now.Add(-usualSpan), now)
	if hour.Seconds <= 0 {
		return Rate{}
	}
	var seen [len(windows)]part // by window, until now
	for i, w := range windows {
		seen[i] = l.lastPart(w, now)
	}
	all := part{hour.Arrived, hour.Seconds}
	mean := all.came / all.seconds
	out := Rate{PerSecond: mean, Over: time.Duration(all.seconds) * time.Second}
	most := float64(minLikelihood)
	for i, last := range seen {
		before := all.minus(last)
		if last.seconds <= 0 || before.seconds < last.seconds {
			continue
		}
		// Log likelihood ratio of two rates against one.
		if likelier := last.excess(mean) + before.excess(mean); likelier > most {
			most = likelier
			out = Rate{last.came / last.seconds, time.Duration(last.seconds) * time.Second, true, before.came / before.seconds, Burst{}}
		}
		// The same for a part of it that ended before now.
		for _, since := range seen[:i] {
			burst, rest := last.minus(since), all.minus(last.minus(since))
			if since.seconds <= 0 || burst.seconds < tickLasts.Seconds() || rest.seconds < burst.seconds {
				continue
			}
			if likelier := burst.excess(mean) + rest.excess(mean) - burstPenalty; likelier > most {
				most = likelier
				out = Rate{
					PerSecond: rest.came / rest.seconds, Over: time.Duration(rest.seconds) * time.Second, Before: rest.came / rest.seconds,
					Burst: Burst{now.Add(-time.Duration(last.seconds) * time.Second), now.Add(-time.Duration(since.seconds) * time.Second), burst.came},
				}
			}
		}
	}
	return out
}

// burstPenalty is the penalty for two changes compared with one, as a log likelihood.
const burstPenalty = 1

// part holds the arrivals of a period and its observed seconds.
type part struct{ came, seconds float64 }

func (p part) minus(o part) part { return part{p.came - o.came, p.seconds - o.seconds} }

// excess returns the log likelihood ratio of the part's own rate against perSecond,
// without terms that cancel out over the hour.
func (p part) excess(perSecond float64) float64 { return excess(p.came, perSecond*p.seconds) }

// excess returns n log(n/expected).
func excess(n, expected float64) float64 {
	if n <= 0 || expected <= 0 {
		return 0
	}
	return n * math.Log(n/expected)
}

// lastPart returns the arrivals of the last period w. The result is zero if they are not
// known with sufficient precision.
func (l *line) lastPart(w time.Duration, now time.Time) (p part) {
	if w > ticks*tickLasts-tickLasts {
		s := l.span(now.Add(-w), now)
		return part{s.Arrived, s.Seconds}
	}
	first := now.Add(-w).Unix()/int64(tickLasts.Seconds()) + 1
	from := time.Unix(first*int64(tickLasts.Seconds()), 0)
	if l.observedSince.IsZero() || l.observedSince.After(from) {
		return part{}
	}
	for i := range l.ticks {
		if t := &l.ticks[i]; t.at >= first {
			p.came += t.came
		}
	}
	p.seconds = now.Sub(from).Seconds()
	return p
}
