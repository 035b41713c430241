package feeds

import (
	"time"

	"wallboard/feeds/counters"
	"wallboard/feeds/longestwait"
	"wallboard/model"
)

// meanings finds out what counters of services mean, and derives the longest
// current waits. The feed's mutex guards it.
type meanings struct {
	waits    *longestwait.Tracker
	counters counters.Watch
}

// follow puts the longest current waits into the services. From figures that are
// not fresh nothing is found out.
func (m *meanings) follow(services *longestwait.Services, fresh bool, now time.Time) {
	if fresh {
		m.counters.Look(services.Rows(), now)
	}
	m.waits.Follow(services, fresh, now)
}

// say says what was found.
func (m *meanings) say() string {
	said, more := m.waits.Say(), m.counters.Say()
	if said != "" && more != "" {
		said += "; "
	}
	return said + more
}

// Meanings is what the counters of services mean, where document 2 leaves it open.
type Meanings struct {
	Channels     []model.Channel        // that have services
	LongestWaits []longestwait.Evidence // of maxTimeCallOnQueue, by the same index
	Contradicted []counters.Finding
}

// Meanings returns what was found out. It may be called from any goroutine.
func (f *Feed) Meanings() Meanings {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := Meanings{Channels: f.meanings.waits.Channels(), Contradicted: f.meanings.counters.Findings()}
	for _, ch := range m.Channels {
		m.LongestWaits = append(m.LongestWaits, f.meanings.waits.Evidence(ch))
	}
	return m
}
