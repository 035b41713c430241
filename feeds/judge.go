package feeds

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/login"
	"wallboard/model"
)

// The pace of reconnecting (docs/feeds.md, section Reconnecting).
const (
	backoffBase = 500 * time.Millisecond
	backoffCap  = 30 * time.Second
	// soonAfter is within what is tried again after a session that worked. Those
	// that do not last get it flapsMany times in a row.
	soonAfter = 2 * time.Second
	flapsMany = 8

	slowLane        = 5 * time.Minute
	rejectedMany    = 3 // handshakes that the server refuses for good, before it is believed
	strippedMany    = 3
	unreachableMany = 3
	refusedBase     = 15 * time.Second // the first wait with refused credentials; it doubles
	refusedCap      = time.Minute      // of a login that is accepted

	maxReadLimit = 64 << 20
	readLimit    = 16 << 20
	// provenAfter is when a session has lasted: what was wrong before is over.
	provenAfter = 10 * time.Second
)

// tries are what the sessions so far have shown of how to make the next one.
type tries struct {
	opts   *Options
	login  *login.Login
	log    *slog.Logger
	clean  func(string) string
	server server

	subprotocols []string
	polling      bool   // WebSockets do not pass
	blamed       string // what in the configuration may be why; "": nothing
	readLimit    int64
	noPing       bool
	suspect      int // sessions in a row that a ping of ours may have ended
	flipped      bool
	offered      bool // one that was recalled was left out for all of them since the start
	stripped     int  // upgrades in a row that something swallowed
	failures     int
	rejections   int // handshakes in a row that the server refused for good
	refusals     int // of credentials, in a row
	flaps        int // sessions in a row that worked and did not last
	last         ended
}

// server is what is known of the server.
type server interface {
	// oneProtocol reports whether only one sub-protocol is known to work.
	oneProtocol() bool
	// bearsLength notes that a session has lasted with requests as long as they are.
	bearsLength()
	// breaksOff notes that a connection ended for which a long request may be to
	// blame, and reports whether something can be done about it.
	breaksOff() bool
}

// ended is how the last session went.
type ended struct {
	lived  time.Duration // how long it was up; 0: it never was
	worked bool          // it brought data that need credentials
	polled bool          // it was, or was to be, over HTTP
}

// lasted reports whether the session is proof that all is well again.
func (e ended) lasted() bool { return e.worked && e.lived >= provenAfter }

// judge decides how long to wait and what to change before the next try.
func (t *tries) judge(err error) (delay time.Duration, state model.LinkState, notice string) {
	t.rest()
	t.failures++
	if delay, state, notice = t.conclude(err); state == model.LinkBackoff && t.last.worked && t.flaps <= flapsMany {
		// Whatever ended a session that worked, the next is no harder to get.
		return min(delay, soonAfter), state, notice
	}
	return max(delay, graphqlws.MinDelay(err), min(login.BusyDelay(err), slowLane)), state, notice
}

// again forgets what was refused: somebody wants it to be tried again.
func (t *tries) again() {
	t.flipped, t.refusals, t.rejections = false, 0, 0
	t.login.Ways.Again()
}

// rest forgets the troubles that a session has outlived.
func (t *tries) rest() {
	switch {
	case t.last.lasted():
		t.failures, t.flaps = 0, 0
		if !t.last.polled {
			t.server.bearsLength()
		}
	case t.last.worked:
		t.flaps++
	}
	if t.last.worked {
		t.flipped, t.refusals, t.rejections = false, 0, 0
		t.login.Ways.Works()
		if !t.last.polled { // polling says nothing about WebSockets
			t.stripped = 0
			t.offerAll()
		}
	}
}

// offerAll offers every sub-protocol to the next session again, unless only one is
// known to work.
func (t *tries) offerAll() {
	if t.server.oneProtocol() && t.offered {
		return
	}
	t.offered, t.subprotocols = true, t.opts.Subprotocols
}

// conclude is judge without the bounds of the delay.
func (t *tries) conclude(err error) (delay time.Duration, state model.LinkState, notice string) {
	delay, state = t.jitter(), model.LinkBackoff
	if login.Refuses(err) {
		return t.unauthorized(delay, err)
	}
	t.suspectPing(err)
	switch class := graphqlws.Classify(err); class {
	case graphqlws.FlipSubprotocol:
		if t.last.worked || t.flip(err) {
			return delay, state, ""
		}
		t.subprotocols = t.opts.Subprotocols // the other is no better
		return t.slow(), model.LinkRefused, t.unspoken() + ": " + login.Reason(err)
	case graphqlws.TooBig:
		return t.tooBig(delay, err)
	case graphqlws.SlowLane:
		if t.rejections++; t.last.worked || t.rejections < rejectedMany {
			return delay, state, ""
		}
		return t.slow(), model.LinkRefused, t.host() + " refuses the connection: " + login.Reason(err)
	case graphqlws.TLS:
		return t.slow(), model.LinkRefused, "No secure connection to " + t.host() + ": " + login.Reason(err)
	case graphqlws.Stripped:
		t.subprotocols = t.opts.Subprotocols // one that was learnt may be what is refused
		if t.swallowed() {
			t.blamed = t.blame(err)
			return t.soon(delay), state, cmp.Or(t.blamed, strippedNotice(err)+": "+login.Reason(err))
		}
	case graphqlws.Retry, graphqlws.RateLimited:
		if swallows(err) && t.swallowed() {
			delay = t.soon(delay)
		}
		if t.failures >= unreachableMany {
			return delay, state, t.host() + unreachable(err) + login.Reason(err)
		}
	case graphqlws.Auth: // it was judged above
	}
	return delay, state, ""
}

// unspoken says that the two have no sub-protocol in common, and why the board
// tries one only.
func (t *tries) unspoken() string {
	if p := t.opts.Subprotocols; len(p) == 1 {
		return "The server does not speak " + p[0] + ", which subprotocol in [rtd] pins; \"auto\" lets it choose"
	}
	return "The server speaks no sub-protocol that this board speaks"
}

// blame says that a pinned sub-protocol may be why a request to upgrade is
// refused, "" where there is another reason.
func (t *tries) blame(err error) string {
	var shake *graphqlws.HandshakeError
	if len(t.opts.Subprotocols) != 1 || !errors.As(err, &shake) || shake.Status != http.StatusBadRequest {
		return ""
	}
	return t.unspoken() + ": " + login.Reason(err)
}

// tooBig asks for less at a time, or takes more, after a message that was too
// large for one of the two sides.
func (t *tries) tooBig(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	theirs := !errors.Is(err, graphqlws.ErrTooBig)
	switch {
	case !theirs && t.readLimit < maxReadLimit:
		t.readLimit = maxReadLimit
		return delay, model.LinkBackoff, ""
	case t.server.breaksOff():
		return delay, model.LinkBackoff, ""
	case theirs:
		return t.slow(), model.LinkRefused, "The server does not take a request as long as this floor's: name a site, or services and groups, in [rtd]"
	}
	return t.slow(), model.LinkRefused, "The server sends messages beyond 64 MiB: name fewer services, groups or a site in [rtd]"
}

// unreachable says of a server what has failed again and again: to come to it, or
// to stay with it.
func unreachable(err error) string {
	var closed *graphqlws.CloseError
	if errors.As(err, &closed) {
		return " does not keep the connection: "
	}
	return " cannot be reached: "
}

// host is what the configuration calls the server.
func (t *tries) host() string { return endpoint(t.opts.WSURL) }

// strippedNotice names the likely reason of an upgrade that got another answer.
func strippedNotice(err error) string {
	var shake *graphqlws.HandshakeError
	if errors.As(err, &shake) && shake.Status == http.StatusNotFound {
		return "There is no service at this address; look at the path in [rtd] url"
	}
	return "Something between here and the server does not let WebSockets pass"
}

// closeBadRequest is the close code of a server that does not know a message of
// ours; right after a ping there is no doubt which one.
const closeBadRequest = 4400

// suspectPing gives pings up when they seem to be what ends the sessions.
func (t *tries) suspectPing(err error) {
	if !graphqlws.PingSuspect(err) {
		t.suspect = 0
		return
	}
	var closed *graphqlws.CloseError
	if t.suspect++; t.suspect >= 2 || errors.As(err, &closed) && closed.Code == closeBadRequest {
		t.noPing = true
	}
}

// unauthorized decides what to show of the credentials next. A password that was
// refused is not sent again and again, so that no account gets locked. What is
// refused on a connection is shown in the other ways that the credentials allow;
// a session that worked has only ended.
func (t *tries) unauthorized(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	lg := t.login
	var refused *login.RefusedError
	var noWay *login.NoWayError
	switch {
	case errors.As(err, &refused) && !lg.Ways.Exchanges():
		return t.slow(), model.LinkRefused, lg.Refusal(err)
	case t.last.worked, lg.Stale():
		lg.Forget()
		return delay, model.LinkBackoff, ""
	case errors.As(err, &noWay):
		lg.Ways.Lacks()
	case lg.Ways.Proven() && t.refusals < rejectedMany: // a platform that restarts refuses what is good
		t.refusals++
		lg.Forget()
		if lg.LogsIn() || t.refusals == 1 {
			return delay, model.LinkBackoff, ""
		}
		return t.refusedDelay(), model.LinkRefused, lg.Refusal(err)
	}
	if lg.Ways.Next() {
		t.log.Info("trying another way to present the credentials", "way", lg.Ways.Present(), "reason", t.clean(login.Reason(err)))
		return delay, model.LinkBackoff, ""
	}
	t.refusals++
	lg.Forget()
	return t.refusedDelay(), model.LinkRefused, lg.Refusal(err)
}

// refusedDelay is how long credentials rest that are refused on a connection. No
// account gets locked by them, and a platform that restarts refuses good ones for
// a while.
func (t *tries) refusedDelay() time.Duration {
	delay := refusedBase << min(t.refusals-1, 8)
	if t.login.LogsIn() {
		return min(delay, refusedCap)
	}
	return min(delay, t.slow())
}

// flip offers the other sub-protocol alone, once.
func (t *tries) flip(err error) bool {
	if t.flipped || len(t.opts.Subprotocols) == 1 {
		return false
	}
	other := graphqlws.LegacyWS
	var wrong *graphqlws.SubprotocolError
	var closed *graphqlws.CloseError
	switch {
	case errors.As(err, &wrong):
		other = wrong.Offer
	case errors.As(err, &closed) && closed.Acked && t.last.lived >= provenAfter:
		return true // it was spoken well until now: what broke is not the sub-protocol
	case errors.As(err, &closed):
		other = graphqlws.OtherSubprotocol(closed.Subprotocol)
	}
	t.flipped = true
	t.subprotocols = []string{other}
	return true
}

// jitter is a random delay, so that a hundred boards do not come back at once
// (full jitter: between 0 and a bound that doubles).
func (t *tries) jitter() time.Duration {
	bound := min(backoffCap, backoffBase<<min(t.failures, 10))
	return time.Duration(t.opts.Jitter() * float64(bound))
}

// slow is the delay of the slow lane, 20 % around five minutes.
func (t *tries) slow() time.Duration {
	return time.Duration(float64(slowLane) * (0.8 + 0.4*t.opts.Jitter()))
}

// swallowed counts an upgrade that something on the way does not let pass, and
// reports whether that has been so again and again. Then HTTP is next; where that
// fails, a WebSocket is tried once before it is next again. What ends polling says
// nothing about WebSockets.
func (t *tries) swallowed() bool {
	if !t.last.polled {
		t.stripped++
		t.polling = t.stripped >= strippedMany
	}
	return t.stripped >= strippedMany
}

// soon bounds the wait before the first try of another way: it has not failed yet.
func (t *tries) soon(delay time.Duration) time.Duration {
	if t.polling && !t.last.polled {
		return min(delay, soonAfter)
	}
	return delay
}

// swallows reports whether a connection was closed as by something on the way that
// does not know WebSockets; whether HTTP passes, polling finds out.
func swallows(err error) bool {
	var shake *graphqlws.HandshakeError
	var closed *graphqlws.CloseError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &closed) && !closed.Acked && closed.Err != nil || // a close frame is a WebSocket's
		errors.As(err, &shake) && shake.Status == http.StatusBadGateway
}
