package diagnosis

import (
	"slices"
	"time"
)

// Remember takes over what past has observed before this track began: figures and
// agents who left. past must not be used afterwards. If nameless is set, agents have
// other names now and their history is left out.
func (t *History) Remember(past *History, nameless bool) {
	if past.began.IsZero() || !t.began.IsZero() && t.began.Before(past.last) {
		return
	}
	past.settle()
	soon := t.began.Sub(past.last) <= longestGap
	for k, l := range t.lines {
		was := past.lines[k]
		if was == nil {
			continue
		}
		for i := range was.minutes {
			l.remember(&was.minutes[i])
		}
		if soon {
			l.noReadySince, l.waitingSince = t.earlier(l.noReadySince, was.noReadySince), t.earlier(l.waitingSince, was.waitingSince)
		}
	}
	if !nameless {
		t.people.remember(&past.people, stepOf(past.fresh), soon)
		t.outages = slices.Concat(lastHour(past.outages, t.began), t.outages)
	}
	t.began = past.began
}

// earlier returns the earlier start of a condition that already held when this track
// began.
func (t *History) earlier(now, before time.Time) time.Time {
	if now.Equal(t.began) && !before.IsZero() {
		return before
	}
	return now
}

// remember adds a recorded minute before the present ones.
func (l *line) remember(m *minute) {
	switch own := &l.minutes[m.at%minutes]; {
	case m.at == 0 || own.at > m.at:
	case own.at == m.at:
		own.add(&m.Span)
	default:
		*own = *m
	}
}

// remember takes over who left, the states until the last recorded step and, if the
// recording ended only a moment ago (soon), the times of state changes.
func (p *people) remember(past *people, last int64, soon bool) {
	p.gone = slices.Concat(past.gone, p.gone)
	p.gone = p.gone[max(0, len(p.gone)-mostGone):]
	for k, a := range p.agents {
		was := past.agents[k]
		if was == nil {
			continue
		}
		a.hour.remember(was.hour, last)
		if soon && was.stat != nil && a.stat != nil && a.moved.IsZero() && was.stat.Status == a.stat.Status {
			a.moved = was.moved
		}
	}
}
