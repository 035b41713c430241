package simulator

import (
	"cmp"
	"math/rand/v2"
	"sync"
	"time"

	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// Faults injects faults into a running [Server]. Its methods take effect at once and are safe
// for concurrent use.
type Faults struct {
	RTD  *rtd.Faults  // faults of the real-time display service
	REST *rest.Faults // faults of the configuration REST service

	server   *Server
	accounts *webservice.Authority

	mu                         sync.Mutex    // guards the fields below
	stall                      chan struct{} // closed when the current stall ends; nil: no stall
	stallTimer                 *time.Timer
	refuseRequests, resetConns bool
	refusalTimeLeft            time.Duration
	maxWriteBytes              int
	writePause                 time.Duration
	outageStart                time.Time // start of the scheduled outage of serviceStats, on the world's clock; zero: none
	isOutageOn                 bool
}

// DropSockets closes all WebSockets with a close code. If the code is 0, DropSockets closes the connections
// without a close frame, like a broken network.
func (f *Faults) DropSockets(code int) { f.server.rtd.DropConnections(code) }

// StallWrites holds back all data of the server for the duration d. Sockets stay open. A new call
// replaces the current stall; a duration of 0 ends the stall.
func (f *Faults) StallWrites(d time.Duration) {
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

// endStall ends the current stall. The caller must hold mu.
func (f *Faults) endStall() {
	if f.stall == nil {
		return
	}
	f.stallTimer.Stop()
	close(f.stall)
	f.stall = nil
}

// RefuseRequests makes the real-time display service and the REST service answer new requests, including
// WebSocket upgrades, with status 503. Open sockets stay open. RefuseRequests(false) ends the fault.
func (f *Faults) RefuseRequests(on bool) { webservice.SetLocked(&f.mu, &f.refuseRequests, on) }

// ResetConnections makes the server reset new TCP connections. ResetConnections(false) ends the fault.
func (f *Faults) ResetConnections(on bool) { webservice.SetLocked(&f.mu, &f.resetConns, on) }

// ExpireSession invalidates all sessions and all access tokens, so that clients must log in
// again. It also invalidates permanent tokens (see [Faults.AllowToken]). Running
// subscriptions end with the error UNAUTHORIZED.
func (f *Faults) ExpireSession() {
	f.accounts.ExpireAll()
	f.server.rest.EndSessions()
	f.server.rtd.RevokeOperations()
}

// AllowToken makes a permanent token valid again after [Faults.ExpireSession]. It returns false
// if no account has this token.
func (f *Faults) AllowToken(token string) bool { return f.accounts.AllowToken(token) }

// Restart simulates a restart of the platform behind a proxy: sockets stay open, the daily
// counters start at zero, and open subscriptions receive no further messages.
func (f *Faults) Restart() {
	_ = f.server.world.Update(func(w *world.World) error { // the callback returns no error
		f.server.rtd.DetachSubscriptions()
		w.ResetDailyCounters()
		return nil
	})
}

// SlowWrites limits each write of the server to the given number of bytes, followed by a
// pause. If bytes is 0, it ends the fault.
func (f *Faults) SlowWrites(bytes int, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.maxWriteBytes, f.writePause = bytes, pause
}

func (f *Faults) isRefusing() bool { return webservice.GetLocked(&f.mu, &f.refuseRequests) }

func (f *Faults) isResetting() bool { return webservice.GetLocked(&f.mu, &f.resetConns) }

// writeLimits returns the limits for the next write: the stall to wait for, or nil; the
// maximum number of bytes, or 0 for no limit; and the pause after the write.
func (f *Faults) writeLimits() (stall <-chan struct{}, bytes int, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stall, f.maxWriteBytes, f.writePause
}

// FaultRates holds the mean numbers of random faults per minute and the durations of faults, for demonstrations
// and soak tests. The zero FaultRates injects no faults. Random numbers are derived from the world's seed.
type FaultRates struct {
	Drop, Stall, Refuse, Lose, Repeat, Malformed, Expire float64
	Error                                                float64 // ends all subscriptions with an error
	CutRequest, CutResponse, RESTError, RESTLimit        float64 // faults of the next REST request

	StallFor  time.Duration // duration of a stall; default 20 s
	RefuseFor time.Duration // duration of a refusal, which begins by closing all WebSockets; default 20 s

	// SlowBytes is the maximum number of bytes of each write, if it is positive. SlowPause is
	// the pause after each write.
	SlowBytes int
	SlowPause time.Duration // default 20 ms

	RESTDelay time.Duration // delay of every REST response
}

// injectRandom injects random faults during a step of the world. tick is the duration of the step.
func (f *Faults) injectRandom(r FaultRates, rng *rand.Rand, tick time.Duration) {
	happens := func(perMinute float64) bool {
		return perMinute > 0 && rng.Float64() < perMinute*tick.Minutes()
	}
	if happens(r.Drop) {
		f.DropSockets(0)
	}
	if happens(r.Stall) {
		f.StallWrites(cmp.Or(r.StallFor, 20*time.Second))
	}
	if f.countDownRefusal(tick); happens(r.Refuse) {
		f.refuseFor(cmp.Or(r.RefuseFor, 20*time.Second))
	}
	if happens(r.Lose) {
		f.RTD.LoseDelta(1)
	}
	if happens(r.Repeat) {
		f.RTD.RepeatDelta(1)
	}
	if happens(r.Malformed) {
		f.RTD.CorruptMessages(1)
	}
	if happens(r.Expire) {
		f.ExpireSession()
	}
	if happens(r.Error) {
		f.RTD.FailSubscription("", 0)
	}
	f.injectRandomREST(r, rng, happens)
}

// injectRandomREST injects random REST faults during a step of the world. happens reports
// whether a fault with the given rate per minute occurs in this step. A cut affects the next
// request, after a random number of bytes.
func (f *Faults) injectRandomREST(r FaultRates, rng *rand.Rand, happens func(perMinute float64) bool) {
	const mostBytes = 400 // maximum number of bytes before a cut; about the size of a request or response
	if happens(r.CutRequest) {
		f.REST.CutRequest(rng.IntN(mostBytes))
	}
	if happens(r.CutResponse) {
		f.REST.CutResponse(rng.IntN(mostBytes))
	}
	if happens(r.RESTError) {
		f.REST.AnswerWithStatus([]int{500, 502, 503, 504}[rng.IntN(4)], "", 1)
	}
	if happens(r.RESTLimit) {
		f.REST.RateLimit(time.Second, 1)
	}
}

// refuseFor closes all WebSockets and refuses requests. After the duration d, countDownRefusal
// ends the refusal.
func (f *Faults) refuseFor(d time.Duration) {
	f.mu.Lock()
	f.refusalTimeLeft = d
	f.mu.Unlock()
	f.RefuseRequests(true)
	f.DropSockets(0)
}

func (f *Faults) countDownRefusal(tick time.Duration) {
	f.mu.Lock()
	isOver := f.refusalTimeLeft > 0 && f.refusalTimeLeft <= tick
	f.refusalTimeLeft = max(0, f.refusalTimeLeft-tick)
	f.mu.Unlock()
	if isOver {
		f.RefuseRequests(false)
	}
}
