package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// counterMeanings detects the meanings of the services' counters, which document 2 leaves open. It
// also derives the longest current waits from the counters. The feed's mutex guards it.
type counterMeanings struct {
	waits    *dialect.WaitTracker
	counters dialect.CounterChecker
}

// update learns the meanings of the counters from services and sets the longest current waits in the same
// table. If fresh is false, the counters are not up to date and update learns nothing.
func (m *counterMeanings) update(services *dialect.ServiceTable, fresh bool, now time.Time) {
	if fresh {
		m.counters.Check(services.Rows(), now)
	}
	m.waits.UpdateWaits(services, fresh, now)
}

// describe returns a description of the detected meanings for display, or "" if none was detected.
func (m *counterMeanings) describe() string {
	text, more := m.waits.Describe(), m.counters.Describe()
	if text != "" && more != "" {
		text += "; "
	}
	return text + more
}

// CounterMeanings holds the detected meanings of those counters of services that document 2 does
// not explain.
type CounterMeanings struct {
	Channels     []model.Channel        // channels with services
	LongestWaits []dialect.WaitEvidence // meaning of maxTimeCallOnQueue, parallel to Channels
	Contradicted []dialect.CounterFinding
}

// CounterMeanings returns the meanings of counters that were detected so far. It is safe for
// concurrent use.
func (f *Feed) CounterMeanings() CounterMeanings {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := CounterMeanings{Channels: f.counterMeanings.waits.Channels(), Contradicted: f.counterMeanings.counters.Findings()}
	for _, ch := range m.Channels {
		m.LongestWaits = append(m.LongestWaits, f.counterMeanings.waits.Evidence(ch))
	}
	return m
}
