package rtd

import "sync"

// Faults are the troubles that a [Service] makes of its messages on request.
// The methods are safe for concurrent use and take effect at once.
type Faults struct {
	fail   func(root string)
	health *health

	mu                               sync.Mutex // guards what follows
	lose, repeat, malformed, mangled int
	nonsense                         int
	reorder                          int
	patch                            int64 // of the version
	huge                             int
	refused                          refusals
	ceased                           map[string]bool // root names that nothing is told of
}

func newFaults() *Faults {
	return &Faults{health: newHealth(), refused: make(refusals), ceased: make(map[string]bool)}
}

// LoseDelta makes the next n updates vanish.
func (f *Faults) LoseDelta(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lose = n
}

// ReorderDelta makes the next n updates go out after the one that follows them
// on their subscription.
func (f *Faults) ReorderDelta(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reorder = n
}

// Upgrade makes the platform tell another version when it is asked.
func (f *Faults) Upgrade() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.patch++
}

// upgrades is how many there were.
func (f *Faults) upgrades() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.patch
}

// RepeatDelta makes the next n updates go out twice.
func (f *Faults) RepeatDelta(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.repeat = n
}

// Malformed spoils the next n messages of subscriptions, in turn as a frame
// that is not JSON and as a record of the wrong shape.
func (f *Faults) Malformed(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.malformed = n
}

// Nonsense makes the next n updates name no record: every field of theirs is
// null.
func (f *Faults) Nonsense(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nonsense = n
}

// HugeMessage makes the next message of a subscription at least so many bytes
// long. The message stays correct: what fills it is an extension.
func (f *Faults) HugeMessage(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.huge = bytes
}

// Health sets what serverHealth says; it is "UP" otherwise.
func (f *Faults) Health(status string) { f.health.set(status) }

// health is the status that serverHealth tells. It is safe for concurrent use.
type health struct {
	mu      sync.Mutex
	status  string
	changed chan struct{} // closed when status changes
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
