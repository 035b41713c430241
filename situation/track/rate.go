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

var windows = [...]time.Duration{
	30 * time.Second, time.Minute, 90 * time.Second, 2 * time.Minute, 3 * time.Minute,
	4 * time.Minute, 6 * time.Minute, 10 * time.Minute, 15 * time.Minute,
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

// Rate is how many contacts of a service come.
type Rate struct {
	PerSecond float64       // as it is now
	Over      time.Duration // that was seen over so long, a burst left out; 0: nobody knows
	Changed   bool          // it is so since then: before, clearly more or fewer came
	Before    float64       // a second, before that or before the burst
	Burst     Burst
}

// Burst is a part of the last minutes in which clearly more contacts came, or fewer, than
// before and since. The zero Burst: there was none.
type Burst struct {
	From, To time.Time
	Came     float64
}

// Rate returns how many contacts of a service come: as over the last hour; as over the
// last part of it where so many more or fewer came then that chance hardly explains it;
// and as without a part of it in which so many more or fewer came, where that is over.
func (t *Track) Rate(k model.ServiceKey, now time.Time) Rate {
	l := t.of(k)
	if l == nil {
		return Rate{}
	}
	hour := l.span(now.Add(-usual), now)
	if hour.Seconds <= 0 {
		return Rate{}
	}
	var seen [len(windows)]part // of the hour, from so long ago until now
	for i, w := range windows {
		seen[i] = l.lastly(w, now)
	}
	all := part{hour.Arrived, hour.Seconds}
	mean := all.came / all.seconds
	out := Rate{PerSecond: mean, Over: time.Duration(all.seconds) * time.Second}
	most := float64(certain)
	for i, last := range seen {
		before := all.less(last)
		if last.seconds <= 0 || before.seconds < last.seconds {
			continue
		}
		// How much likelier two rates are than one.
		if likelier := last.excess(mean) + before.excess(mean); likelier > most {
			most = likelier
			out = Rate{last.came / last.seconds, time.Duration(last.seconds) * time.Second, true, before.came / before.seconds, Burst{}}
		}
		// The same of what came in that part until it changed once more.
		for _, since := range seen[:i] {
			burst, rest := last.less(since), all.less(last.less(since))
			if since.seconds <= 0 || burst.seconds < tickLasts.Seconds() || rest.seconds < burst.seconds {
				continue
			}
			if likelier := burst.excess(mean) + rest.excess(mean) - oneMore; likelier > most {
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

// oneMore is how much likelier it has to be that there were two changes than that there
// was one.
const oneMore = 1

// part is how many contacts came in a part of an hour, and how many seconds of it
// somebody looked.
type part struct{ came, seconds float64 }

func (p part) less(o part) part { return part{p.came - o.came, p.seconds - o.seconds} }

// excess says how much likelier it is that its contacts came at a rate of their own than
// at another one, but for a part that is the same for all of an hour.
func (p part) excess(perSecond float64) float64 { return excess(p.came, perSecond*p.seconds) }

// excess is n times the logarithm of n against how many were expected.
func excess(n, expected float64) float64 {
	if n <= 0 || expected <= 0 {
		return 0
	}
	return n * math.Log(n/expected)
}

// lastly is how many contacts came over the last part of an hour, and how many seconds
// of it somebody looked; 0 where that is not known so exactly.
func (l *line) lastly(w time.Duration, now time.Time) (p part) {
	if w > ticks*tickLasts-tickLasts {
		s := l.span(now.Add(-w), now)
		return part{s.Arrived, s.Seconds}
	}
	first := now.Add(-w).Unix()/int64(tickLasts.Seconds()) + 1
	from := time.Unix(first*int64(tickLasts.Seconds()), 0)
	if l.looked.IsZero() || l.looked.After(from) {
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
