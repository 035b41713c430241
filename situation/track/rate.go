package track

import (
	"math"
	"time"

	"wallboard/model"
)

// The windows that a change of how many contacts come is looked for in. Those of a few
// minutes are looked at to ten seconds: a surge is a matter of half a minute, and in the
// minutes in which it began most is as before.
const (
	tickLasts = 10 * time.Second
	ticks     = 18
)

func windows() []time.Duration {
	return []time.Duration{
		30 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute, 3 * time.Minute,
		4 * time.Minute, 6 * time.Minute, 10 * time.Minute, 15 * time.Minute,
	}
}

// certain is how much likelier it has to be that another number of contacts comes than
// that chance made it so, as a logarithm: 400 times. A queue is longest just after more
// came by chance, and then fewer do; and of many services and windows one is always odd.
const certain = 6

// tick is how many contacts came within ten seconds.
type tick struct {
	at   int64 // its number since 1970; 0: none
	came float64
}

// came notes contacts that came.
func (l *line) came(n float64, now time.Time) {
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

// Rate is how many contacts of a service come a second, and over how long that was
// seen: as over the last hour, or as over the last part of it where so many more or
// fewer came then that chance hardly explains it.
func (t *Track) Rate(k model.ServiceKey, now time.Time) (perSecond float64, over time.Duration) {
	l := t.of(k)
	if l == nil {
		return 0, 0
	}
	hour := l.span(now.Add(-usual), now)
	if hour.Seconds <= 0 {
		return 0, 0
	}
	perSecond, over = hour.Arrived/hour.Seconds, time.Duration(hour.Seconds)*time.Second
	most := float64(certain)
	for _, w := range windows() {
		n, seconds := l.lastly(w, now)
		before := hour.Seconds - seconds
		if seconds <= 0 || before < seconds {
			continue
		}
		// How much likelier two rates are than one.
		mean := hour.Arrived / hour.Seconds
		likelier := excess(n, mean*seconds) + excess(hour.Arrived-n, mean*before)
		if likelier > most {
			most, perSecond, over = likelier, n/seconds, time.Duration(seconds)*time.Second
		}
	}
	return perSecond, over
}

// excess is n times the logarithm of n against how many were expected.
func excess(n, expected float64) float64 {
	if n <= 0 || expected <= 0 {
		return 0
	}
	return n * math.Log(n/expected)
}

// lastly is how many contacts came over the last part of an hour, and how many seconds
// of it somebody looked; 0 where that is not known so exactly.
func (l *line) lastly(w time.Duration, now time.Time) (n, seconds float64) {
	if w > ticks*tickLasts-tickLasts {
		s := l.span(now.Add(-w), now)
		return s.Arrived, s.Seconds
	}
	first := now.Add(-w).Unix()/int64(tickLasts.Seconds()) + 1
	from := time.Unix(first*int64(tickLasts.Seconds()), 0)
	if l.looked.IsZero() || l.looked.After(from) {
		return 0, 0
	}
	for i := range l.ticks {
		if t := &l.ticks[i]; t.at >= first {
			n += t.came
		}
	}
	return n, now.Sub(from).Seconds()
}
