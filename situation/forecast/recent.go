package forecast

import (
	"time"

	"wallboard/model"
)

// Watch records how many calls each service has missed recently. It is not safe for
// concurrent use. The zero value is ready to use.
type Watch struct {
	of   map[model.ServiceKey]*missing
	last int64 // minute of the last call of Look
}

// lately is the period that is kept.
const lately = 30 * time.Minute

// missing holds the counters of one service per minute, oldest first.
type missing struct {
	formula model.ServiceLevelFormula
	at      []sample
}

type sample struct {
	at             time.Time
	missed, counts int64
}

// Look samples the counters of a snapshot once a minute. formula returns how a service
// counts abandoned calls. Snapshots without current services are ignored.
func (w *Watch) Look(s *model.Snapshot, now time.Time, formula func(code string) model.ServiceLevelFormula) {
	sub := s.Health.Subscription(model.OpServices)
	if minute := now.Unix() / 60; minute == w.last || s.Health.Link.State != model.LinkUp || sub == nil || !sub.State.Current() {
		return
	} else if w.last = minute; w.of == nil {
		w.of = make(map[model.ServiceKey]*missing)
	}
	for r := range s.Services.All() {
		k := r.Key()
		m := w.of[k]
		if f := formula(k.Code); m == nil || m.formula != f {
			m = &missing{formula: f}
			w.of[k] = m
		}
		if inTime, counted, ok := r.ChannelStats.Counted(m.formula); ok {
			m.add(sample{now.Round(0), counted - inTime, counted})
		}
	}
}

// add appends a sample. It drops the earlier ones if counters have fallen or the clock
// was set back.
func (m *missing) add(s sample) {
	if n := len(m.at); n > 0 {
		if last := m.at[n-1]; s.counts < last.counts || s.missed < last.missed || s.at.Before(last.at) {
			m.at = m.at[:0]
		}
	}
	for len(m.at) > 1 && s.at.Sub(m.at[1].at) >= lately {
		m.at = m.at[1:]
	}
	m.at = append(m.at, s)
}

// Recent returns the missed calls of a service in the last half hour, or the zero
// Recent if nothing is known.
func (w *Watch) Recent(k model.ServiceKey) Recent {
	m := w.of[k]
	if m == nil || len(m.at) < 2 {
		return Recent{}
	}
	first, last := m.at[0], m.at[len(m.at)-1]
	return Recent{float64(last.missed - first.missed), float64(last.counts - first.counts), last.at.Sub(first.at)}
}
