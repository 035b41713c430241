package simulator

import (
	"cmp"
	"math/rand/v2"
	"sync"
	"time"

	"wallboard/simulator/accounts"
	"wallboard/simulator/rest"
	"wallboard/simulator/rtd"
	"wallboard/simulator/world"
)

// Faults are the troubles a [Server] makes on request. The methods are safe for
// concurrent use and take effect at once.
type Faults struct {
	RTD  *rtd.Faults  // of the messages of the real-time display service
	REST *rest.Faults // of the configuration REST service

	server   *Server
	accounts *accounts.Authority

	mu            sync.Mutex    // guards what follows
	stall         chan struct{} // closed when the present stall ends; nil when there is none
	stallTimer    *time.Timer
	refuse, reset bool
	refuseLeft    time.Duration
	slowBytes     int
	slowPause     time.Duration
	ceases        time.Time // by the world's clock; zero: nothing is staged
	ceased        bool
}

// Drop cuts every WebSocket now: with the close code, or, when that is 0,
// without a word, as a broken network does.
func (f *Faults) Drop(code int) { f.server.rtd.Drop(code) }

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
func (f *Faults) ExpireSession() {
	f.accounts.ExpireAll()
	f.server.rest.EndSessions()
	f.server.rtd.Revoke()
}

// AllowToken makes the standing token of an account good again after
// ExpireSession. It returns false when no account has that token.
func (f *Faults) AllowToken(token string) bool { return f.accounts.AllowToken(token) }

// Restart starts the platform anew behind the open sockets, as a cluster does
// behind a proxy: the counters of the day begin again, and the subscriptions
// that are open stay open and never hear anything again.
func (f *Faults) Restart() {
	_ = f.server.world.Act(func(w *world.World) error { // it cannot fail
		f.server.rtd.Silence()
		w.Restart()
		return nil
	})
}

// SlowWrites makes the server write at most so many bytes at a time, with a
// pause after each piece; 0 bytes ends it.
func (f *Faults) SlowWrites(bytes int, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slowBytes, f.slowPause = bytes, pause
}

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
		f.Stall(cmp.Or(r.StallFor, 20*time.Second))
	}
	if f.refuseTick(tick); happens(r.Refuse) {
		f.refuseWhile(cmp.Or(r.RefuseFor, 20*time.Second))
	}
	if happens(r.Lose) {
		f.RTD.LoseDelta(1)
	}
	if happens(r.Repeat) {
		f.RTD.RepeatDelta(1)
	}
	if happens(r.Malformed) {
		f.RTD.Malformed(1)
	}
	if happens(r.Expire) {
		f.ExpireSession()
	}
	if happens(r.Error) {
		f.RTD.FailSubscription("", 0)
	}
	f.rollREST(r, rng, happens)
}

// rollREST makes the random faults of the REST service of one tick. A cut hits
// the next request, wherever in it the dice say.
func (f *Faults) rollREST(r FaultRates, rng *rand.Rand, happens func(perMinute float64) bool) {
	const mostBytes = 400 // about a request or an answer
	if happens(r.CutRequest) {
		f.REST.CutRequest(rng.IntN(mostBytes))
	}
	if happens(r.CutResponse) {
		f.REST.CutResponse(rng.IntN(mostBytes))
	}
	if happens(r.RESTError) {
		f.REST.Status([]int{500, 502, 503, 504}[rng.IntN(4)], "", 1)
	}
	if happens(r.RESTLimit) {
		f.REST.Limit(time.Second, 1)
	}
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
