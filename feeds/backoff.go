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
	// maxDelayAfterSuccess is the longest delay after a session that worked. After maxShortSessions
	// short sessions in a row the normal delay applies.
	maxDelayAfterSuccess = 2 * time.Second
	maxShortSessions     = 8

	slowRetryDelay         = 5 * time.Minute
	maxRejections          = 3                // permanent refusals before the reconnects become slow
	maxBlockedUpgrades     = 3                // blocked upgrades in a row before HTTP is used
	maxUnreachableFailures = 3                // failures in a row before the banner reports them
	refusedDelayBase       = 15 * time.Second // first wait after refused credentials; doubles each time
	refusedDelayCap        = time.Minute      // limit if the login itself succeeds

	readLimit    = 16 << 20 // largest message, in bytes
	maxReadLimit = 64 << 20 // the same, after a message was too large
	// minStableUptime is how long a session must last to clear earlier failures.
	minStableUptime = 10 * time.Second
)

// reconnectPolicy decides when and how to connect next. It remembers how the previous sessions
// failed.
type reconnectPolicy struct {
	opts   *Options
	login  *login.Login
	log    *slog.Logger
	clean  func(string) string
	server server

	subprotocols          []string
	polling               bool   // WebSockets are blocked: use HTTP
	pollNotice            string // setting that may be the cause; "": none
	readLimit             int64
	omitsPings            bool // do not send pings
	pingSuspects          int  // sessions in a row that our ping may have ended
	triedOtherSubprotocol bool
	offeredAll            bool // all sub-protocols were offered once since the start, instead of only the remembered one
	blockedUpgrades       int  // upgrades in a row that a proxy or firewall seems to have blocked
	failures              int  // attempts since the last stable session
	rejections            int  // handshakes in a row that the server refused permanently
	refusals              int  // credentials refused in a row
	shortSessions         int  // sessions in a row that worked but were short
	lastSession           sessionEnd
}

// server remembers the limits of the server. [Feed] implements it.
type server interface {
	// needsSingleSubprotocol reports whether only one sub-protocol is known to work.
	needsSingleSubprotocol() bool
	// recordLengthAccepted records that a session lasted with requests of the present length.
	recordLengthAccepted()
	// recordConnectionLost records that a connection ended, perhaps because of a long
	// request, and reports whether requests can be shortened.
	recordConnectionLost() bool
}

// sessionEnd describes the last session.
type sessionEnd struct {
	uptime        time.Duration // how long it was up; 0: it was never opened
	deliveredData bool          // delivered data that needs credentials
	usedPolling   bool          // used or tried polling over HTTP
}

// wasStable reports whether the session lasted long enough to show that earlier problems are gone.
func (e sessionEnd) wasStable() bool { return e.deliveredData && e.uptime >= minStableUptime }

// nextAttempt returns how long to wait before the next attempt, and changes the options for it.
func (t *reconnectPolicy) nextAttempt(err error) (delay time.Duration, state model.LinkState, notice string) {
	t.clearDisprovedFailures()
	t.failures++
	if delay, state, notice = t.classify(err); state == model.LinkBackoff && t.lastSession.deliveredData && t.shortSessions <= maxShortSessions {
		// the server worked a moment ago: do not wait long
		return min(delay, maxDelayAfterSuccess), state, notice
	}
	return max(delay, graphqlws.MinDelay(err), min(login.BusyDelay(err), slowRetryDelay)), state, notice
}

// resetRefusals forgets refusals because a user asked for a retry.
func (t *reconnectPolicy) resetRefusals() {
	t.triedOtherSubprotocol, t.refusals, t.rejections = false, 0, 0
	t.login.Ways.ResetRefusals()
}

// clearDisprovedFailures forgets problems that the last session has disproved.
func (t *reconnectPolicy) clearDisprovedFailures() {
	switch {
	case t.lastSession.wasStable():
		t.failures, t.shortSessions = 0, 0
		if !t.lastSession.usedPolling {
			t.server.recordLengthAccepted()
		}
	case t.lastSession.deliveredData:
		t.shortSessions++
	}
	if t.lastSession.deliveredData {
		t.triedOtherSubprotocol, t.refusals, t.rejections = false, 0, 0
		t.login.Ways.MarkProven()
		if !t.lastSession.usedPolling { // polling says nothing about WebSockets
			t.blockedUpgrades = 0
			t.offerAllSubprotocols()
		}
	}
}

// offerAllSubprotocols offers all sub-protocols to the next session again, unless only one
// is known to work.
func (t *reconnectPolicy) offerAllSubprotocols() {
	if t.server.needsSingleSubprotocol() && t.offeredAll {
		return
	}
	t.offeredAll, t.subprotocols = true, t.opts.Subprotocols
}

// classify is [reconnectPolicy.nextAttempt] without the limits on the delay.
func (t *reconnectPolicy) classify(err error) (delay time.Duration, state model.LinkState, notice string) {
	delay, state = t.jitter(), model.LinkBackoff
	if login.IsRefusal(err) {
		return t.handleUnauthorized(delay, err)
	}
	t.suspectPing(err)
	switch class := graphqlws.Classify(err); class {
	case graphqlws.FlipSubprotocol:
		if t.lastSession.deliveredData || t.flipSubprotocol(err) {
			return delay, state, ""
		}
		t.subprotocols = t.opts.Subprotocols // the other one is no better
		return t.slowDelay(), model.LinkRefused, t.noProtocolNotice() + ": " + login.Reason(err)
	case graphqlws.TooBig:
		return t.handleTooBig(delay, err)
	case graphqlws.RetrySlowly:
		if t.rejections++; t.lastSession.deliveredData || t.rejections < maxRejections {
			return delay, state, ""
		}
		return t.slowDelay(), model.LinkRefused, t.host() + " refuses the connection: " + login.Reason(err)
	case graphqlws.TLS:
		return t.slowDelay(), model.LinkRefused, "No secure connection to " + t.host() + ": " + login.Reason(err)
	case graphqlws.UpgradeBlocked:
		t.subprotocols = t.opts.Subprotocols // a remembered sub-protocol may be what is refused
		if t.countBlockedUpgrade() {
			t.pollNotice = t.pinnedNotice(err)
			return t.limitFirstPollDelay(delay), state, cmp.Or(t.pollNotice, blockedNotice(err)+": "+login.Reason(err))
		}
	case graphqlws.Retry, graphqlws.RateLimited:
		if looksBlocked(err) && t.countBlockedUpgrade() {
			delay = t.limitFirstPollDelay(delay)
		}
		if t.failures >= maxUnreachableFailures {
			return delay, state, t.host() + unreachableNotice(err) + login.Reason(err)
		}
	case graphqlws.Auth: // handled above
	}
	return delay, state, ""
}

// noProtocolNotice returns the message that client and server have no common
// sub-protocol. It mentions a setting that allows only one.
func (t *reconnectPolicy) noProtocolNotice() string {
	if p := t.opts.Subprotocols; len(p) == 1 {
		return "The server does not speak " + p[0] + ", which subprotocol in [rtd] pins; \"auto\" lets it choose"
	}
	return "The server speaks no sub-protocol that this board speaks"
}

// pinnedNotice returns a message if a pinned sub-protocol may be why the upgrade was
// refused, otherwise "".
func (t *reconnectPolicy) pinnedNotice(err error) string {
	var shake *graphqlws.HandshakeError
	if len(t.opts.Subprotocols) != 1 || !errors.As(err, &shake) || shake.Status != http.StatusBadRequest {
		return ""
	}
	return t.noProtocolNotice() + ": " + login.Reason(err)
}

// handleTooBig requests less at a time, or raises the read limit, after a message was too large for
// the client or the server.
func (t *reconnectPolicy) handleTooBig(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	theirs := !errors.Is(err, graphqlws.ErrTooBig)
	switch {
	case !theirs && t.readLimit < maxReadLimit:
		t.readLimit = maxReadLimit
		return delay, model.LinkBackoff, ""
	case t.server.recordConnectionLost():
		return delay, model.LinkBackoff, ""
	case theirs:
		return t.slowDelay(), model.LinkRefused, "The server does not take a request as long as this floor's: name a site, or services and groups, in [rtd]"
	}
	return t.slowDelay(), model.LinkRefused, "The server sends messages beyond 64 MiB: name fewer services, groups or a site in [rtd]"
}

// unreachableNotice describes a server that repeatedly could not be reached or dropped the
// connection.
func unreachableNotice(err error) string {
	var closed *graphqlws.CloseError
	if errors.As(err, &closed) {
		return " does not keep the connection: "
	}
	return " cannot be reached: "
}

// host returns the server's address as configured.
func (t *reconnectPolicy) host() string { return publicAddress(t.opts.WSURL) }

// blockedNotice returns the likely reason why the server did not upgrade the
// connection to a WebSocket.
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
func (t *reconnectPolicy) suspectPing(err error) {
	if !graphqlws.PingMayBeCause(err) {
		t.pingSuspects = 0
		return
	}
	var closed *graphqlws.CloseError
	if t.pingSuspects++; t.pingSuspects >= 2 || errors.As(err, &closed) && closed.Code == closeBadRequest {
		t.omitsPings = true
	}
}

// handleUnauthorized decides which credentials to present next. A refused password is
// not sent repeatedly, so that no account gets locked. Credentials refused on a
// connection are presented in the other possible ways. If the session had
// worked, it has simply expired.
func (t *reconnectPolicy) handleUnauthorized(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	lg := t.login
	var refused *login.RefusedError
	var noWay *login.NoWayError
	switch {
	case errors.As(err, &refused) && !lg.Ways.IsTokenLogin():
		return t.slowDelay(), model.LinkRefused, lg.RefusalText(err)
	case t.lastSession.deliveredData, lg.IsStale():
		lg.ForgetGrant()
		return delay, model.LinkBackoff, ""
	case errors.As(err, &noWay):
		lg.Ways.MarkMissing()
	case lg.Ways.IsProven() && t.refusals < maxRejections: // a restarting platform refuses good credentials
		t.refusals++
		lg.ForgetGrant()
		if lg.NeedsLogin() || t.refusals == 1 {
			return delay, model.LinkBackoff, ""
		}
		return t.refusedCredentialsDelay(), model.LinkRefused, lg.RefusalText(err)
	}
	if lg.Ways.SwitchToNext() {
		t.log.Info("trying another way to present the credentials", "way", lg.Ways.CurrentName(), "reason", t.clean(login.Reason(err)))
		return delay, model.LinkBackoff, ""
	}
	t.refusals++
	lg.ForgetGrant()
	return t.refusedCredentialsDelay(), model.LinkRefused, lg.RefusalText(err)
}

// refusedCredentialsDelay returns how long to wait after a connection with the
// credentials was refused. It is short because such refusals lock no account, and
// because a restarting platform refuses good credentials for a while.
func (t *reconnectPolicy) refusedCredentialsDelay() time.Duration {
	delay := refusedDelayBase << min(t.refusals-1, 8)
	if t.login.NeedsLogin() {
		return min(delay, refusedDelayCap)
	}
	return min(delay, t.slowDelay())
}

// flipSubprotocol offers only the other sub-protocol, once.
func (t *reconnectPolicy) flipSubprotocol(err error) bool {
	if t.triedOtherSubprotocol || len(t.opts.Subprotocols) == 1 {
		return false
	}
	other := graphqlws.LegacyWS
	var wrong *graphqlws.SubprotocolError
	var closed *graphqlws.CloseError
	switch {
	case errors.As(err, &wrong):
		other = wrong.Offer
	case errors.As(err, &closed) && closed.Accepted && t.lastSession.uptime >= minStableUptime:
		return true // the sub-protocol worked until now, so it is not the problem
	case errors.As(err, &closed):
		other = graphqlws.OtherSubprotocol(closed.Subprotocol)
	}
	t.triedOtherSubprotocol = true
	t.subprotocols = []string{other}
	return true
}

// jitter returns a random delay between 0 and a doubling bound (full jitter),
// so that many boards do not reconnect at the same time.
func (t *reconnectPolicy) jitter() time.Duration {
	bound := min(backoffCap, backoffBase<<min(t.failures, 10))
	return time.Duration(t.opts.Jitter() * float64(bound))
}

// slowDelay returns the slow-lane delay: five minutes ± 20 %.
func (t *reconnectPolicy) slowDelay() time.Duration {
	return time.Duration(float64(slowRetryDelay) * (0.8 + 0.4*t.opts.Jitter()))
}

// countBlockedUpgrade counts an upgrade that a proxy or firewall seems to have blocked, and reports
// whether to use HTTP next. After a failure over HTTP, one WebSocket is tried before the next
// attempt over HTTP.
func (t *reconnectPolicy) countBlockedUpgrade() bool {
	if !t.lastSession.usedPolling {
		t.blockedUpgrades++
		t.polling = t.blockedUpgrades >= maxBlockedUpgrades
	}
	return t.blockedUpgrades >= maxBlockedUpgrades
}

// limitFirstPollDelay limits the delay before the first attempt over HTTP, which has not failed
// yet.
func (t *reconnectPolicy) limitFirstPollDelay(delay time.Duration) time.Duration {
	if t.polling && !t.lastSession.usedPolling {
		return min(delay, maxDelayAfterSuccess)
	}
	return delay
}

// looksBlocked reports whether the connection was closed the way a proxy without WebSocket support
// closes it. Only an attempt over HTTP can confirm it.
func looksBlocked(err error) bool {
	var shake *graphqlws.HandshakeError
	var closed *graphqlws.CloseError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &closed) && !closed.Accepted && closed.Err != nil || // a close frame comes from a WebSocket endpoint
		errors.As(err, &shake) && shake.Status == http.StatusBadGateway
}
