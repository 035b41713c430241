package track

import (
	"slices"
	"time"
)

// Remember has the track know what another one has seen of the time before, which must
// not be used afterwards: what was done then, and who went. Nobody is remembered where
// the agents are called otherwise.
func (t *Track) Remember(past *Track, nameless bool) {
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
			l.nobody, l.waits = t.longer(l.nobody, was.nobody), t.longer(l.waits, was.waits)
		}
	}
	if !nameless {
		t.people.remember(&past.people, stepOf(past.fresh), soon)
		t.missed = slices.Concat(ofTheHour(past.missed, t.began), t.missed)
	}
	t.began = past.began
}

// longer is since when something is so that was so from the start, if it was so before.
func (t *Track) longer(now, before time.Time) time.Time {
	if now.Equal(t.began) && !before.IsZero() {
		return before
	}
	return now
}

// remember puts a minute of the past before those that there are.
func (l *line) remember(m *minute) {
	switch own := &l.minutes[m.at%minutes]; {
	case m.at == 0 || own.at > m.at:
	case own.at == m.at:
		own.add(&m.Span)
	default:
		*own = *m
	}
}

// remember goes on with who went in the past, with who was in which state until the last
// step of it and, where that has just been, with who moved when.
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
