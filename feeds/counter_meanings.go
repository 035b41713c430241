package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// counterMeanings detects the meanings of the services' counters and derives the longest current
// waits. The feed's mutex guards it.
type counterMeanings struct {
	waits    *dialect.WaitTracker
	counters dialect.CounterChecker
}

// update checks the counters of the services and sets their longest current waits. It learns
// nothing from figures that are not fresh.
func (m *counterMeanings) update(services *dialect.ServiceTable, fresh bool, now time.Time) {
	if fresh {
		m.counters.Check(services.Rows(), now)
	}
	m.waits.Follow(services, fresh, now)
}

// describe describes the detected meanings, or returns "".
func (m *counterMeanings) describe() string {
	said, more := m.waits.Describe(), m.counters.Describe()
	if said != "" && more != "" {
		said += "; "
	}
	return said + more
}

// Meanings describes the counters of services where document 2 leaves their
// meaning open.
type Meanings struct {
	Channels     []model.Channel        // channels with services
	LongestWaits []dialect.WaitEvidence // meaning of maxTimeCallOnQueue, parallel to Channels
	Contradicted []dialect.CounterFinding
}

// Meanings returns what was found out. It is safe for concurrent use.
func (f *Feed) Meanings() Meanings {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := Meanings{Channels: f.meanings.waits.Channels(), Contradicted: f.meanings.counters.Findings()}
	for _, ch := range m.Channels {
		m.LongestWaits = append(m.LongestWaits, f.meanings.waits.Evidence(ch))
	}
	return m
}
