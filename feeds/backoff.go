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

// The pace of reconnecting (docs/admin/feeds.md, section Reconnecting).
const (
	backoffBase = 500 * time.Millisecond
	backoffCap  = 30 * time.Second
	// soonWithin is the longest wait after a session that worked. After
	// maxFlaps short sessions in a row the normal wait applies.
	soonWithin = 2 * time.Second
	maxFlaps   = 8

	slowLane       = 5 * time.Minute
	maxRejections  = 3 // permanent refusals before they are believed
	maxBlocked     = 3
	maxUnreachable = 3
	refusedBase    = 15 * time.Second // first wait after refused credentials; doubles each time
	refusedCap     = time.Minute      // limit if the login itself succeeds

	maxReadLimit = 64 << 20
	readLimit    = 16 << 20
	// provenAfter is how long a session must last to clear earlier failures.
	provenAfter = 10 * time.Second
)

// attempts holds what past sessions showed about how to make the next one.
type attempts struct {
	opts   *Options
	login  *login.Login
	log    *slog.Logger
	clean  func(string) string
	server server

	subprotocols []string
	polling      bool   // WebSockets do not pass
	pollNotice   string // configuration that may be the cause; "": none
	readLimit    int64
	noPing       bool
	pingSuspects int // sessions in a row that our ping may have ended
	flipped      bool
	offered      bool // since the start, all sub-protocols were offered once instead of the remembered one
	blocked      int  // upgrades in a row that something in between swallowed
	failures     int
	rejections   int // handshakes in a row that the server refused permanently
	refusals     int // credentials refused in a row
	flaps        int // sessions in a row that worked but were short
	last         sessionEnd
}

// server gives access to what the feed knows about the server.
type server interface {
	// oneProtocol reports whether only one sub-protocol is known to work.
	oneProtocol() bool
	// lengthAccepted records that a session lasted with requests of the present length.
	lengthAccepted()
	// connectionBroke records that a connection ended, perhaps because of a long
	// request, and reports whether requests can be shortened.
	connectionBroke() bool
}

// sessionEnd describes the last session.
type sessionEnd struct {
	lived  time.Duration // how long it was up; 0: it never was
	worked bool          // delivered data that needs credentials
	polled bool          // used or tried HTTP
}

// lasted reports whether the session proves that everything works again.
func (e sessionEnd) lasted() bool { return e.worked && e.lived >= provenAfter }

// decide decides how long to wait and what to change before the next attempt.
func (t *attempts) decide(err error) (delay time.Duration, state model.LinkState, notice string) {
	t.clearProven()
	t.failures++
	if delay, state, notice = t.classify(err); state == model.LinkBackoff && t.last.worked && t.flaps <= maxFlaps {
		// whatever ended a working session, the next one should be easy to get
		return min(delay, soonWithin), state, notice
	}
	return max(delay, graphqlws.MinDelay(err), min(login.BusyDelay(err), slowLane)), state, notice
}

// resetRefusals forgets refusals because a user asked for a retry.
func (t *attempts) resetRefusals() {
	t.flipped, t.refusals, t.rejections = false, 0, 0
	t.login.Ways.ResetRefusals()
}

// clearProven forgets problems that a session has disproved.
func (t *attempts) clearProven() {
	switch {
	case t.last.lasted():
		t.failures, t.flaps = 0, 0
		if !t.last.polled {
			t.server.lengthAccepted()
		}
	case t.last.worked:
		t.flaps++
	}
	if t.last.worked {
		t.flipped, t.refusals, t.rejections = false, 0, 0
		t.login.Ways.MarkProven()
		if !t.last.polled { // polling says nothing about WebSockets
			t.blocked = 0
			t.offerAll()
		}
	}
}

// offerAll offers all sub-protocols to the next session again, unless only one
// is known to work.
func (t *attempts) offerAll() {
	if t.server.oneProtocol() && t.offered {
		return
	}
	t.offered, t.subprotocols = true, t.opts.Subprotocols
}

// classify is judge without limits on the delay.
func (t *attempts) classify(err error) (delay time.Duration, state model.LinkState, notice string) {
	delay, state = t.jitter(), model.LinkBackoff
	if login.IsRefusal(err) {
		return t.unauthorized(delay, err)
	}
	t.suspectPing(err)
	switch class := graphqlws.Classify(err); class {
	case graphqlws.FlipSubprotocol:
		if t.last.worked || t.flip(err) {
			return delay, state, ""
		}
		t.subprotocols = t.opts.Subprotocols // the other one is no better
		return t.slowDelay(), model.LinkRefused, t.noProtocolNotice() + ": " + login.Reason(err)
	case graphqlws.TooBig:
		return t.tooBig(delay, err)
	case graphqlws.RetrySlowly:
		if t.rejections++; t.last.worked || t.rejections < maxRejections {
			return delay, state, ""
		}
		return t.slowDelay(), model.LinkRefused, t.host() + " refuses the connection: " + login.Reason(err)
	case graphqlws.TLS:
		return t.slowDelay(), model.LinkRefused, "No secure connection to " + t.host() + ": " + login.Reason(err)
	case graphqlws.UpgradeBlocked:
		t.subprotocols = t.opts.Subprotocols // a remembered sub-protocol may be what is refused
		if t.noteBlocked() {
			t.pollNotice = t.pinnedNotice(err)
			return t.boundFirst(delay), state, cmp.Or(t.pollNotice, blockedNotice(err)+": "+login.Reason(err))
		}
	case graphqlws.Retry, graphqlws.RateLimited:
		if looksBlocked(err) && t.noteBlocked() {
			delay = t.boundFirst(delay)
		}
		if t.failures >= maxUnreachable {
			return delay, state, t.host() + unreachable(err) + login.Reason(err)
		}
	case graphqlws.Auth: // handled above
	}
	return delay, state, ""
}

// noProtocolNotice reports that client and server have no common sub-protocol, and why
// the board tries only one.
func (t *attempts) noProtocolNotice() string {
	if p := t.opts.Subprotocols; len(p) == 1 {
		return "The server does not speak " + p[0] + ", which subprotocol in [rtd] pins; \"auto\" lets it choose"
	}
	return "The server speaks no sub-protocol that this board speaks"
}

// pinnedNotice returns a message if a pinned sub-protocol may be why the upgrade was
// refused, otherwise "".
func (t *attempts) pinnedNotice(err error) string {
	var shake *graphqlws.HandshakeError
	if len(t.opts.Subprotocols) != 1 || !errors.As(err, &shake) || shake.Status != http.StatusBadRequest {
		return ""
	}
	return t.noProtocolNotice() + ": " + login.Reason(err)
}

// tooBig requests less at a time, or raises the read limit, after a message was
// too large for one of the sides.
func (t *attempts) tooBig(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	theirs := !errors.Is(err, graphqlws.ErrTooBig)
	switch {
	case !theirs && t.readLimit < maxReadLimit:
		t.readLimit = maxReadLimit
		return delay, model.LinkBackoff, ""
	case t.server.connectionBroke():
		return delay, model.LinkBackoff, ""
	case theirs:
		return t.slowDelay(), model.LinkRefused, "The server does not take a request as long as this floor's: name a site, or services and groups, in [rtd]"
	}
	return t.slowDelay(), model.LinkRefused, "The server sends messages beyond 64 MiB: name fewer services, groups or a site in [rtd]"
}

// unreachable describes a server that repeatedly could not be reached or
// dropped the connection.
func unreachable(err error) string {
	var closed *graphqlws.CloseError
	if errors.As(err, &closed) {
		return " does not keep the connection: "
	}
	return " cannot be reached: "
}

// host returns the server's address as configured.
func (t *attempts) host() string { return endpoint(t.opts.WSURL) }

// blockedNotice names the likely reason for an upgrade that got a different
// answer.
func blockedNotice(err error) string {
	var shake *graphqlws.HandshakeError
	if errors.As(err, &shake) && shake.Status == http.StatusNotFound {
		return "There is no service at this address; look at the path in [rtd] url"
	}
	return "Something between here and the server does not let WebSockets pass"
}

// closeBadRequest is the close code of a server that does not know one of our
// messages; right after a ping it can only mean the ping.
const closeBadRequest = 4400

// suspectPing stops sending pings if they seem to end the sessions.
func (t *attempts) suspectPing(err error) {
	if !graphqlws.PingMayBeCause(err) {
		t.pingSuspects = 0
		return
	}
	var closed *graphqlws.CloseError
	if t.pingSuspects++; t.pingSuspects >= 2 || errors.As(err, &closed) && closed.Code == closeBadRequest {
		t.noPing = true
	}
}

// unauthorized decides which credentials to present next. A refused password is
// not sent repeatedly, so that no account gets locked. Credentials refused on a
// connection are presented in the other possible ways. If the session had
// worked, it has simply expired.
func (t *attempts) unauthorized(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	lg := t.login
	var refused *login.RefusedError
	var noWay *login.NoWayError
	switch {
	case errors.As(err, &refused) && !lg.Ways.IsTokenLogin():
		return t.slowDelay(), model.LinkRefused, lg.RefusalText(err)
	case t.last.worked, lg.Stale():
		lg.ForgetGrant()
		return delay, model.LinkBackoff, ""
	case errors.As(err, &noWay):
		lg.Ways.MarkMissing()
	case lg.Ways.Proven() && t.refusals < maxRejections: // a restarting platform refuses good credentials
		t.refusals++
		lg.ForgetGrant()
		if lg.NeedsLogin() || t.refusals == 1 {
			return delay, model.LinkBackoff, ""
		}
		return t.refusedDelay(), model.LinkRefused, lg.RefusalText(err)
	}
	if lg.Ways.Next() {
		t.log.Info("trying another way to present the credentials", "way", lg.Ways.CurrentName(), "reason", t.clean(login.Reason(err)))
		return delay, model.LinkBackoff, ""
	}
	t.refusals++
	lg.ForgetGrant()
	return t.refusedDelay(), model.LinkRefused, lg.RefusalText(err)
}

// refusedDelay returns how long to wait with credentials that were refused on a
// connection. They do not lock an account, and a restarting platform refuses
// good ones for a while.
func (t *attempts) refusedDelay() time.Duration {
	delay := refusedBase << min(t.refusals-1, 8)
	if t.login.NeedsLogin() {
		return min(delay, refusedCap)
	}
	return min(delay, t.slowDelay())
}

// flip offers only the other sub-protocol, once.
func (t *attempts) flip(err error) bool {
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
		return true // the sub-protocol worked until now, so it is not the problem
	case errors.As(err, &closed):
		other = graphqlws.OtherSubprotocol(closed.Subprotocol)
	}
	t.flipped = true
	t.subprotocols = []string{other}
	return true
}

// jitter returns a random delay between 0 and a doubling bound (full jitter),
// so that many boards do not reconnect at the same time.
func (t *attempts) jitter() time.Duration {
	bound := min(backoffCap, backoffBase<<min(t.failures, 10))
	return time.Duration(t.opts.Jitter() * float64(bound))
}

// slowDelay returns the slow-lane delay: five minutes ± 20 %.
func (t *attempts) slowDelay() time.Duration {
	return time.Duration(float64(slowLane) * (0.8 + 0.4*t.opts.Jitter()))
}

// noteBlocked counts an upgrade that something on the way blocked and reports
// whether that has happened repeatedly. HTTP is tried next; if HTTP fails, a
// WebSocket is tried once before it is next again. The end of polling says
// nothing about WebSockets.
func (t *attempts) noteBlocked() bool {
	if !t.last.polled {
		t.blocked++
		t.polling = t.blocked >= maxBlocked
	}
	return t.blocked >= maxBlocked
}

// boundFirst limits the wait before the first attempt with HTTP, which has not failed
// yet.
func (t *attempts) boundFirst(delay time.Duration) time.Duration {
	if t.polling && !t.last.polled {
		return min(delay, soonWithin)
	}
	return delay
}

// looksBlocked reports whether the connection was closed the way a proxy that does
// not know WebSockets closes it. Polling shows whether HTTP passes.
func looksBlocked(err error) bool {
	var shake *graphqlws.HandshakeError
	var closed *graphqlws.CloseError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &closed) && !closed.Acked && closed.Err != nil || // a close frame comes from a WebSocket endpoint
		errors.As(err, &shake) && shake.Status == http.StatusBadGateway
}
