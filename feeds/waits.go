package feeds

import (
	"time"

	"wallboard/feeds/longestwait"
	"wallboard/model"
)

// followWaits puts the longest current waits into the services, while these are
// current: from figures that are not, no wait can be told. The caller holds mu.
func (f *Feed) followWaits(now time.Time) {
	if s := f.subs.named(opServices); s.status.State.Current() {
		f.waits.Follow(&f.store.Services, now)
	}
}

// LongestWaits returns what is known about the meaning of maxTimeCallOnQueue, by
// the channels that have services. It may be called from any goroutine.
func (f *Feed) LongestWaits() (channels []model.Channel, evidence []longestwait.Evidence) {
	f.mu.Lock()
	defer f.mu.Unlock()
	channels = f.waits.Channels()
	for _, ch := range channels {
		evidence = append(evidence, f.waits.Evidence(ch))
	}
	return channels, evidence
}
