package simulator

import (
	"math/rand/v2"
	"sync"
	"time"
)

// Faults are the troubles a [Server] makes on request. Its methods are safe
// for concurrent use and take effect at once.
type Faults struct {
	drop    func(code int)
	restart func()
	revoke  func()
	fail    func(root string)
	allow   func(token string) bool
	health  *health
	rest    restFaults

	mu                               sync.Mutex
	stall                            chan struct{} // closed when the present stall ends; nil when there is none
	stallTimer                       *time.Timer
	refuse, reset                    bool
	refuseLeft                       time.Duration
	lose, repeat, malformed, mangled int
	nonsense                         int
	reorder                          int
	patch                            int64 // of the version
	huge                             int
	slowBytes                        int
	slowPause                        time.Duration
	refused                          refusals
}

// Drop cuts every WebSocket now: with the close code, or, when that is 0,
// without a word, as a broken network does.
func (f *Faults) Drop(code int) { f.drop(code) }

// Stall holds back every byte the server would send for d; the sockets stay
// open. A new call replaces a running stall, 0 ends it.
func (f *Faults) Stall(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.endStall()
	if d <= 0 {
		return
	}
	stall := make(chan struct{})
	f.stall = stall
	f.stallTimer = time.AfterFunc(d, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.stall == stall {
			f.endStall()
		}
	})
}

// endStall ends the present stall. The caller holds mu.
func (f *Faults) endStall() {
	if f.stall == nil {
		return
	}
	f.stallTimer.Stop()
	close(f.stall)
	f.stall = nil
}

// Refuse makes the server answer every request of its services, connection
// upgrades included, with 503. Open sockets stay.
func (f *Faults) Refuse(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuse = on
}

// Reset makes the server reset every new connection as soon as it is made.
func (f *Faults) Reset(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reset = on
}

// ExpireSession makes every session of either service and every access token
// invalid, the standing tokens included, until the next login. Running subscriptions end
// with UNAUTHORIZED.
func (f *Faults) ExpireSession() { f.revoke() }

// AllowToken makes the standing token of an account good again after
// ExpireSession. It returns false when no account has that token.
func (f *Faults) AllowToken(token string) bool { return f.allow(token) }

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

// Restart starts the platform anew behind the open sockets, as a cluster does
// behind a proxy: the counters of the day begin again, and the subscriptions
// that are open stay open and never hear anything again.
func (f *Faults) Restart() { f.restart() }

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

// SlowWrites makes the server write at most so many bytes at a time, with a
// pause after each piece; 0 bytes ends it.
func (f *Faults) SlowWrites(bytes int, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slowBytes, f.slowPause = bytes, pause
}

// Health sets what serverHealth says; it is "UP" otherwise.
func (f *Faults) Health(status string) { f.health.set(status) }

func (f *Faults) refusing() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.refuse
}

func (f *Faults) resetting() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reset
}

// writing returns what a write has to respect now.
func (f *Faults) writing() (stall <-chan struct{}, bytes int, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stall, f.slowBytes, f.slowPause
}

// FaultRates are the mean numbers of random faults per minute, for
// demonstrations and soak tests. The zero value makes none. They are drawn
// from the world's seed.
type FaultRates struct {
	Drop, Stall, Refuse, Lose, Repeat, Malformed, Expire float64
	Error                                                float64 // all subscriptions end with an error
	CutRequest, CutResponse, RESTError, RESTLimit        float64 // of the REST service; each hits its next request

	StallFor  time.Duration // length of a stall; default 20 s
	RefuseFor time.Duration // how long a refusal lasts, after everything was cut; default 20 s

	// SlowBytes, when positive, is the most that is written at a time, with
	// SlowPause after it, always.
	SlowBytes int
	SlowPause time.Duration // default 20 ms

	RESTDelay time.Duration // how long every REST answer is kept back, always
}

// roll makes the random faults of one tick.
func (f *Faults) roll(r FaultRates, rng *rand.Rand, tick time.Duration) {
	happens := func(perMinute float64) bool {
		return perMinute > 0 && rng.Float64() < perMinute*tick.Minutes()
	}
	if happens(r.Drop) {
		f.Drop(0)
	}
	if happens(r.Stall) {
		setDefault(&r.StallFor, 20*time.Second)
		f.Stall(r.StallFor)
	}
	if f.refuseTick(tick); happens(r.Refuse) {
		setDefault(&r.RefuseFor, 20*time.Second)
		f.refuseWhile(r.RefuseFor)
	}
	if happens(r.Lose) {
		f.LoseDelta(1)
	}
	if happens(r.Repeat) {
		f.RepeatDelta(1)
	}
	if happens(r.Malformed) {
		f.Malformed(1)
	}
	if happens(r.Expire) {
		f.ExpireSession()
	}
	if happens(r.Error) {
		f.FailSubscription("", 0)
	}
	f.rollREST(r, rng, happens)
}

// refuseWhile cuts everything and refuses for d, which refuseTick counts.
func (f *Faults) refuseWhile(d time.Duration) {
	f.mu.Lock()
	f.refuseLeft = d
	f.mu.Unlock()
	f.Refuse(true)
	f.Drop(0)
}

func (f *Faults) refuseTick(tick time.Duration) {
	f.mu.Lock()
	over := f.refuseLeft > 0 && f.refuseLeft <= tick
	f.refuseLeft = max(0, f.refuseLeft-tick)
	f.mu.Unlock()
	if over {
		f.Refuse(false)
	}
}

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
