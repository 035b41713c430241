package feeds

import (
	"cmp"
	"errors"
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
)

// judge decides how long to wait and what to change before the next try.
func (l *link) judge(err error) (delay time.Duration, state model.LinkState, notice string) {
	l.rest()
	l.failures++
	if delay, state, notice = l.conclude(err); state == model.LinkBackoff && l.last.worked && l.flaps <= flapsMany {
		// Whatever ended a session that worked, the next is no harder to get.
		return min(delay, soonAfter), state, notice
	}
	return max(delay, graphqlws.MinDelay(err), min(login.BusyDelay(err), slowLane)), state, notice
}

// rest forgets the troubles that a session has outlived.
func (l *link) rest() {
	switch {
	case l.last.lasted():
		l.failures, l.flaps = 0, 0
		if !l.last.polled {
			l.bearsLength()
		}
	case l.last.worked:
		l.flaps++
	}
	if l.last.worked {
		l.flipped, l.refusals, l.rejections = false, 0, 0
		l.f.login.Ways.Works()
		if !l.last.polled { // polling says nothing about WebSockets
			l.stripped = 0
			l.offerAll()
		}
	}
}

// conclude is judge without the bounds of the delay.
func (l *link) conclude(err error) (delay time.Duration, state model.LinkState, notice string) {
	delay, state = l.jitter(), model.LinkBackoff
	if login.Refuses(err) {
		return l.unauthorized(delay, err)
	}
	l.suspectPing(err)
	switch class := graphqlws.Classify(err); class {
	case graphqlws.FlipSubprotocol:
		if l.last.worked || l.flip(err) {
			return delay, state, ""
		}
		l.subprotocols = l.f.opts.Subprotocols // the other is no better
		return l.slow(), model.LinkRefused, l.unspoken() + ": " + login.Reason(err)
	case graphqlws.TooBig:
		return l.tooBig(delay, err)
	case graphqlws.SlowLane:
		if l.rejections++; l.last.worked || l.rejections < rejectedMany {
			return delay, state, ""
		}
		return l.slow(), model.LinkRefused, l.host() + " refuses the connection: " + login.Reason(err)
	case graphqlws.TLS:
		return l.slow(), model.LinkRefused, "No secure connection to " + l.host() + ": " + login.Reason(err)
	case graphqlws.Stripped:
		l.subprotocols = l.f.opts.Subprotocols // one that was learnt may be what is refused
		if l.swallowed() {
			l.blamed = l.blame(err)
			return l.soon(delay), state, cmp.Or(l.blamed, strippedNotice(err)+": "+login.Reason(err))
		}
	case graphqlws.Retry, graphqlws.RateLimited:
		if swallows(err) && l.swallowed() {
			delay = l.soon(delay)
		}
		if l.failures >= unreachableMany {
			return delay, state, l.host() + unreachable(err) + login.Reason(err)
		}
	case graphqlws.Auth: // it was judged above
	}
	return delay, state, ""
}

// unspoken says that the two have no sub-protocol in common, and why the board
// tries one only.
func (l *link) unspoken() string {
	if p := l.f.opts.Subprotocols; len(p) == 1 {
		return "The server does not speak " + p[0] + ", which subprotocol in [rtd] pins; \"auto\" lets it choose"
	}
	return "The server speaks no sub-protocol that this board speaks"
}

// blame says that a pinned sub-protocol may be why a request to upgrade is
// refused, "" where there is another reason.
func (l *link) blame(err error) string {
	var shake *graphqlws.HandshakeError
	if len(l.f.opts.Subprotocols) != 1 || !errors.As(err, &shake) || shake.Status != http.StatusBadRequest {
		return ""
	}
	return l.unspoken() + ": " + login.Reason(err)
}

// tooBig asks for less at a time, or takes more, after a message that was too
// large for one of the two sides.
func (l *link) tooBig(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	theirs := !errors.Is(err, graphqlws.ErrTooBig)
	switch {
	case !theirs && l.readLimit < maxReadLimit:
		l.readLimit = maxReadLimit
		return delay, model.LinkBackoff, ""
	case l.breaksOff():
		return delay, model.LinkBackoff, ""
	case theirs:
		return l.slow(), model.LinkRefused, "The server does not take a request as long as this floor's: name a site, or services and groups, in [rtd]"
	}
	return l.slow(), model.LinkRefused, "The server sends messages beyond 64 MiB: name fewer services, groups or a site in [rtd]"
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
func (l *link) host() string { return endpoint(l.f.opts.WSURL) }

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
func (l *link) suspectPing(err error) {
	if !graphqlws.PingSuspect(err) {
		l.suspect = 0
		return
	}
	var closed *graphqlws.CloseError
	if l.suspect++; l.suspect >= 2 || errors.As(err, &closed) && closed.Code == closeBadRequest {
		l.noPing = true
	}
}

// unauthorized decides what to show of the credentials next. A password that was
// refused is not sent again and again, so that no account gets locked. What is
// refused on a connection is shown in the other ways that the credentials allow;
// a session that worked has only ended.
func (l *link) unauthorized(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	lg := l.f.login
	var refused *login.RefusedError
	var noWay *login.NoWayError
	switch {
	case errors.As(err, &refused):
		return l.slow(), model.LinkRefused, lg.Refusal(err)
	case l.last.worked, lg.Stale():
		lg.Forget()
		return delay, model.LinkBackoff, ""
	case errors.As(err, &noWay):
		lg.Ways.Lacks()
	case lg.Ways.Proven() && l.refusals < rejectedMany: // a platform that restarts refuses what is good
		l.refusals++
		lg.Forget()
		if lg.LogsIn() || l.refusals == 1 {
			return delay, model.LinkBackoff, ""
		}
		return l.refusedDelay(), model.LinkRefused, lg.Refusal(err)
	}
	if lg.Ways.Next() {
		l.f.log.Info("trying another way to present the credentials", "way", lg.Ways.Present(), "reason", l.f.clean(login.Reason(err)))
		return delay, model.LinkBackoff, ""
	}
	l.refusals++
	lg.Forget()
	return l.refusedDelay(), model.LinkRefused, lg.Refusal(err)
}

// refusedDelay is how long credentials rest that are refused on a connection. No
// account gets locked by them, and a platform that restarts refuses good ones for
// a while.
func (l *link) refusedDelay() time.Duration {
	delay := refusedBase << min(l.refusals-1, 8)
	if l.f.login.LogsIn() {
		return min(delay, refusedCap)
	}
	return min(delay, l.slow())
}

// flip offers the other sub-protocol alone, once.
func (l *link) flip(err error) bool {
	if l.flipped || len(l.f.opts.Subprotocols) == 1 {
		return false
	}
	other := graphqlws.LegacyWS
	var wrong *graphqlws.SubprotocolError
	var closed *graphqlws.CloseError
	switch {
	case errors.As(err, &wrong):
		other = wrong.Offer
	case errors.As(err, &closed) && closed.Acked && l.last.lived >= provenAfter:
		return true // it was spoken well until now: what broke is not the sub-protocol
	case errors.As(err, &closed):
		other = graphqlws.OtherSubprotocol(closed.Subprotocol)
	}
	l.flipped = true
	l.subprotocols = []string{other}
	return true
}

// jitter is a random delay, so that a hundred boards do not come back at once
// (full jitter: between 0 and a bound that doubles).
func (l *link) jitter() time.Duration {
	bound := min(backoffCap, backoffBase<<min(l.failures, 10))
	return time.Duration(l.f.opts.Jitter() * float64(bound))
}

// slow is the delay of the slow lane, 20 % around five minutes.
func (l *link) slow() time.Duration {
	return time.Duration(float64(slowLane) * (0.8 + 0.4*l.f.opts.Jitter()))
}
