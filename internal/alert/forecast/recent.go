package forecast

import (
	"time"

	"wallboard/model"
)

// MissTracker records how many calls each service has missed in the last half hour. It is not safe
// for concurrent use. The zero value is ready to use.
type MissTracker struct {
	services   map[model.ServiceKey]*callCounters
	lastMinute int64 // minute of the last call of Update
}

// recentPeriod is how long the tracker keeps samples of the counters.
const recentPeriod = 30 * time.Minute

// callCounters holds the counters of one service, one sample per minute, oldest first.
type callCounters struct {
	formula model.ServiceLevelFormula
	samples []counterSample
}

type counterSample struct {
	at              time.Time
	missed, counted int64
}

// Update samples the counters of a snapshot, at most once a minute. It ignores a snapshot whose
// services are not current. formula returns the way in which a service counts abandoned calls.
func (w *MissTracker) Update(s *model.Snapshot, now time.Time, formula func(code string) model.ServiceLevelFormula) {
	if minute := now.Unix() / 60; minute == w.lastMinute || !s.Health.IsCurrent(model.OpServices) {
		return
	} else if w.lastMinute = minute; w.services == nil {
		w.services = make(map[model.ServiceKey]*callCounters)
	}
	for r := range s.Services.All() {
		k := r.Key()
		m := w.services[k]
		if f := formula(k.Code); m == nil || m.formula != f {
			m = &callCounters{formula: f}
			w.services[k] = m
		}
		if inTime, counted, ok := r.ChannelStats.ServiceLevelCounts(m.formula); ok {
			m.add(counterSample{now.Round(0), counted - inTime, counted})
		}
	}
}

// add appends a sample. If a counter has fallen or the clock was set back, it drops all earlier
// samples.
func (m *callCounters) add(s counterSample) {
	if n := len(m.samples); n > 0 {
		if last := m.samples[n-1]; s.counted < last.counted || s.missed < last.missed || s.at.Before(last.at) {
			m.samples = m.samples[:0]
		}
	}
	for len(m.samples) > 1 && s.at.Sub(m.samples[1].at) >= recentPeriod {
		m.samples = m.samples[1:]
	}
	m.samples = append(m.samples, s)
}

// RecentCalls returns the numbers of missed and counted calls of the given services on a channel in the
// last half hour, or the zero RecentCalls if they are unknown.
func (w *MissTracker) RecentCalls(ch model.Channel, services ...string) (sum RecentCalls) {
	for _, code := range services {
		m := w.services[model.ServiceKey{Code: code, Channel: ch}]
		if m == nil || len(m.samples) < 2 {
			continue
		}
		first, last := m.samples[0], m.samples[len(m.samples)-1]
		sum.Missed += float64(last.missed - first.missed)
		sum.Counted += float64(last.counted - first.counted)
		sum.Period = max(sum.Period, last.at.Sub(first.at))
	}
	return sum
}
