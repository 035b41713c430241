package rtd

import (
	"sync"

	"wallboard/internal/simulator/webservice"
)

// Faults injects faults into the messages of a [Service]. Its methods take effect at
// once and are safe for concurrent use.
type Faults struct {
	failSubscriptions func(root string)
	health            *health

	mu                                                                 sync.Mutex // guards the fields below
	deltasToLose, deltasToRepeat, messagesToCorrupt, corruptedMessages int
	recordsToNull                                                      int // number of updates whose fields are still to become null
	deltasToReorder                                                    int
	versionPatch                                                       int64 // added to the patch number of the version
	minMessageBytes                                                    int   // minimum size in bytes of the next subscription message
	refusals                                                           refusals
	unavailable                                                        map[string]bool // root names that the service no longer serves
}

// LoseDelta makes the service drop the next n updates.
func (f *Faults) LoseDelta(n int) { webservice.SetLocked(&f.mu, &f.deltasToLose, n) }

// ReorderDelta makes the service send each of the next n updates after the following update of
// the same subscription.
func (f *Faults) ReorderDelta(n int) { webservice.SetLocked(&f.mu, &f.deltasToReorder, n) }

// ChangeVersion increases the version that the platform reports.
func (f *Faults) ChangeVersion() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.versionPatch++
}

// versionChanges returns the number of calls of ChangeVersion.
func (f *Faults) versionChanges() int64 { return webservice.GetLocked(&f.mu, &f.versionPatch) }

// RepeatDelta makes the service send each of the next n updates twice.
func (f *Faults) RepeatDelta(n int) { webservice.SetLocked(&f.mu, &f.deltasToRepeat, n) }

// CorruptMessages damages the next n subscription messages. Alternately, it truncates a message,
// which makes it invalid JSON, or replaces its content with a record whose fields have wrong types.
func (f *Faults) CorruptMessages(n int) { webservice.SetLocked(&f.mu, &f.messagesToCorrupt, n) }

// NullRecords replaces the content of each of the next n updates with a record whose fields,
// including the keys, are null.
func (f *Faults) NullRecords(n int) { webservice.SetLocked(&f.mu, &f.recordsToNull, n) }

// EnlargeMessage pads the next subscription message to at least the given number of bytes. It
// adds an extension, so the message remains valid.
func (f *Faults) EnlargeMessage(bytes int) { webservice.SetLocked(&f.mu, &f.minMessageBytes, bytes) }

// SetHealth sets the status that serverHealth returns. The initial status is "UP".
func (f *Faults) SetHealth(status string) { f.health.set(status) }

// health holds the status that serverHealth returns. It is safe for concurrent use.
type health struct {
	mu      sync.Mutex
	status  string
	changed chan struct{} // closed and replaced when status changes
}

func newHealth() *health { return &health{status: "UP", changed: make(chan struct{})} }

func (h *health) get() (status string, changed <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.status, h.changed
}

func (h *health) set(status string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if status == h.status {
		return
	}
	h.status = status
	close(h.changed)
	h.changed = make(chan struct{})
}
