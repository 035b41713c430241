package feeds

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// Limits and delays of reconnecting (docs/dev/feeds.md, section Reconnecting).
const (
	backoffBase = 500 * time.Millisecond
	backoffCap  = 30 * time.Second
	// maxDelayAfterSuccess is the longest delay after a session that delivered data. It applies to
	// at most maxShortSessions short sessions in a row; then the normal delay applies.
	maxDelayAfterSuccess = 2 * time.Second
	maxShortSessions     = 8

	slowRetryDelay         = 5 * time.Minute
	maxRejections          = 3                // permanent refusals in a row before the reconnects become slow
	maxBlockedUpgrades     = 3                // blocked upgrades in a row before HTTP is used
	maxUnreachableFailures = 3                // failures in a row before the banner reports them
	refusedDelayBase       = 15 * time.Second // first wait after the credentials of a connection were refused; doubled after each further refusal
	refusedDelayCap        = time.Minute      // longest wait after refused credentials if the mode includes a login

	readLimit    = 16 << 20 // largest message, in bytes
	maxReadLimit = 64 << 20 // replaces readLimit, in bytes, after a message was too large
	// minStableUptime is how long a session must last to reset the count of failures.
	minStableUptime = 10 * time.Second
)

// reconnectPolicy decides how long to wait before the next connection attempt, and chooses the
// settings of that attempt. It remembers how the previous sessions failed.
type reconnectPolicy struct {
	opts   *Options
	login  *graphql.Login
	log    *slog.Logger
	clean  func(string) string
	server serverTraits

	subprotocols          []string
	polling               bool   // use polling over HTTP next, because WebSockets are blocked
	pollNotice            string // banner text while polling that names the setting which may be the cause; "": none
	readLimit             int64
	omitsPings            bool // never send pings
	pingEndedSessions     int  // sessions in a row that our ping may have ended
	triedOtherSubprotocol bool
	offeredAll            bool // a session since the start has offered all sub-protocols
	blockedUpgrades       int  // upgrades in a row that a proxy or firewall seems to have blocked
	failures              int  // failed attempts and ended sessions since the last stable session
	rejections            int  // handshakes in a row that the server refused permanently
	refusals              int  // credentials refused in a row
	shortSessions         int  // short sessions that delivered data, since the last stable session
	lastSession           sessionEnd
}

// serverTraits remembers which requests and sub-protocols the server accepts. [Feed] implements it.
type serverTraits interface {
	// needsSingleSubprotocol reports whether the server accepts a sub-protocol only if no other one
	// is offered.
	needsSingleSubprotocol() bool
	// recordLengthAccepted records that a session lasted. Its requests were therefore not too long.
	recordLengthAccepted()
	// recordConnectionLost records that a connection ended, perhaps because a request was too long.
	// It returns false if requests should become shorter but cannot.
	recordConnectionLost() bool
}

// sessionEnd describes the end of the last session.
type sessionEnd struct {
	uptime        time.Duration // how long the session was up; 0: it was never opened
	deliveredData bool          // the session delivered data that needs credentials
	usedPolling   bool          // the session polled over HTTP, or tried to
}

// wasStable reports whether the session delivered data and lasted at least minStableUptime. Earlier
// problems then count as solved.
func (e sessionEnd) wasStable() bool { return e.deliveredData && e.uptime >= minStableUptime }

// nextAttempt decides from err, the error of the last attempt, how long to wait before the next
// one. It also adapts the settings of the next attempt: sub-protocols, polling, pings, read limit
// and login. state and notice are for display.
func (p *reconnectPolicy) nextAttempt(err error) (delay time.Duration, state model.LinkState, notice string) {
	p.clearDisprovedFailures()
	p.failures++
	if delay, state, notice = p.classify(err); state == model.LinkBackoff && p.lastSession.deliveredData && p.shortSessions <= maxShortSessions {
		// The server worked a moment ago, so the wait is short.
		return min(delay, maxDelayAfterSuccess), state, notice
	}
	return max(delay, graphql.MinDelay(err), min(graphql.BusyDelay(err), slowRetryDelay)), state, notice
}

// resetRefusals resets the refusal counters. It is called when a user asks for a retry.
func (p *reconnectPolicy) resetRefusals() {
	p.triedOtherSubprotocol, p.refusals, p.rejections = false, 0, 0
	p.login.Ways.ResetRefusals()
}

// clearDisprovedFailures resets the failure counters that no longer apply because the last session
// lasted long enough or delivered data.
func (p *reconnectPolicy) clearDisprovedFailures() {
	switch {
	case p.lastSession.wasStable():
		p.failures, p.shortSessions = 0, 0
		if !p.lastSession.usedPolling {
			p.server.recordLengthAccepted()
		}
	case p.lastSession.deliveredData:
		p.shortSessions++
	}
	if p.lastSession.deliveredData {
		p.triedOtherSubprotocol, p.refusals, p.rejections = false, 0, 0
		p.login.Ways.MarkProven()
		if !p.lastSession.usedPolling { // polling says nothing about WebSockets
			p.blockedUpgrades = 0
			p.offerAllSubprotocols()
		}
	}
}

// offerAllSubprotocols makes the next session offer all configured sub-protocols. For a server that
// needs a single sub-protocol, it does so only once.
func (p *reconnectPolicy) offerAllSubprotocols() {
	if p.server.needsSingleSubprotocol() && p.offeredAll {
		return
	}
	p.offeredAll, p.subprotocols = true, p.opts.Subprotocols
}

// classify does the work of [reconnectPolicy.nextAttempt], without the limits on the delay. It has
// the same parameter and results.
func (p *reconnectPolicy) classify(err error) (delay time.Duration, state model.LinkState, notice string) {
	delay, state = p.jitter(), model.LinkBackoff
	if graphql.IsRefusal(err) {
		return p.handleUnauthorized(delay, err)
	}
	p.suspectPing(err)
	switch class := graphql.Classify(err); class {
	case graphql.ClassOtherSubprotocol:
		if p.lastSession.deliveredData || p.flipSubprotocol(err) {
			return delay, state, ""
		}
		p.subprotocols = p.opts.Subprotocols // the other sub-protocol was refused too
		return p.slowDelay(), model.LinkRefused, p.noProtocolNotice() + ": " + graphql.ErrorReason(err)
	case graphql.ClassTooBig:
		return p.handleTooBig(delay, err)
	case graphql.ClassRetrySlowly:
		if p.rejections++; p.lastSession.deliveredData || p.rejections < maxRejections {
			return delay, state, ""
		}
		return p.slowDelay(), model.LinkRefused, p.host() + " refuses the connection: " + graphql.ErrorReason(err)
	case graphql.ClassTLS:
		return p.slowDelay(), model.LinkRefused, "No secure connection to " + p.host() + ": " + graphql.ErrorReason(err)
	case graphql.ClassUpgradeBlocked:
		p.subprotocols = p.opts.Subprotocols // the server may have refused the remembered sub-protocol
		if p.countBlockedUpgrade() {
			p.pollNotice = p.pinnedSubprotocolNotice(err)
			return p.limitFirstPollDelay(delay), state, cmp.Or(p.pollNotice, blockedNotice(err)+": "+graphql.ErrorReason(err))
		}
	case graphql.ClassRetry, graphql.ClassRateLimited:
		if looksBlocked(err) && p.countBlockedUpgrade() {
			delay = p.limitFirstPollDelay(delay)
		}
		if p.failures >= maxUnreachableFailures {
			return delay, state, p.host() + unreachableNotice(err) + graphql.ErrorReason(err)
		}
	case graphql.ClassAuth: // handled above as a refusal
	}
	return delay, state, ""
}

// noProtocolNotice returns the notice that client and server have no common sub-protocol. If the
// configuration allows only one sub-protocol, the notice names the setting.
func (p *reconnectPolicy) noProtocolNotice() string {
	if pinned := p.opts.Subprotocols; len(pinned) == 1 {
		return "The server does not speak " + pinned[0] + ", which subprotocol in [rtd] pins; \"auto\" lets it choose"
	}
	return "The server speaks no sub-protocol that this board speaks"
}

// pinnedSubprotocolNotice returns a notice for the user if the upgrade may have been refused because the
// configuration pins the sub-protocol, otherwise "".
func (p *reconnectPolicy) pinnedSubprotocolNotice(err error) string {
	var handshakeErr *graphql.HandshakeError
	if len(p.opts.Subprotocols) != 1 || !errors.As(err, &handshakeErr) || handshakeErr.Status != http.StatusBadRequest {
		return ""
	}
	return p.noProtocolNotice() + ": " + graphql.ErrorReason(err)
}

// handleTooBig reacts to a message that was too large for the client or the server. It raises the
// read limit or shortens the requests. If neither is possible, it returns a notice and a long
// delay.
func (p *reconnectPolicy) handleTooBig(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	isServersLimit := !errors.Is(err, graphql.ErrTooBig)
	switch {
	case !isServersLimit && p.readLimit < maxReadLimit:
		p.readLimit = maxReadLimit
		return delay, model.LinkBackoff, ""
	case p.server.recordConnectionLost():
		return delay, model.LinkBackoff, ""
	case isServersLimit:
		return p.slowDelay(), model.LinkRefused, "The server does not take a request as long as this floor's: name a site, or services and groups, in [rtd]"
	}
	return p.slowDelay(), model.LinkRefused, "The server sends messages beyond 64 MiB: name fewer services, groups or a site in [rtd]"
}

// unreachableNotice returns the part of a notice that follows the server's address. This part says
// whether the server cannot be reached or does not keep the connection.
func unreachableNotice(err error) string {
	var closed *graphql.CloseError
	if errors.As(err, &closed) {
		return " does not keep the connection: "
	}
	return " cannot be reached: "
}

// host returns the server's configured address without parts that may be secret.
func (p *reconnectPolicy) host() string { return publicAddress(p.opts.WSURL) }

// blockedNotice returns the likely reason why the server did not upgrade the
// connection to a WebSocket.
func blockedNotice(err error) string {
	var handshakeErr *graphql.HandshakeError
	if errors.As(err, &handshakeErr) && handshakeErr.Status == http.StatusNotFound {
		return "There is no service at this address; look at the path in [rtd] url"
	}
	return "Something between here and the server does not let WebSockets pass"
}

// closeBadRequest is the close code of a server that has received an unknown message. Directly
// after a ping, that message can only be the ping.
const closeBadRequest = 4400

// suspectPing disables pings for later sessions if err shows that a ping ended this session, or if
// pings may have ended two sessions in a row.
func (p *reconnectPolicy) suspectPing(err error) {
	if !graphql.PingMayBeCause(err) {
		p.pingEndedSessions = 0
		return
	}
	var closed *graphql.CloseError
	if p.pingEndedSessions++; p.pingEndedSessions >= 2 || errors.As(err, &closed) && closed.Code == closeBadRequest {
		p.omitsPings = true
	}
}

// handleUnauthorized decides from err how to log in next. After a refused password it waits for minutes, because
// more attempts may lock the account. If the credentials worked before and may only have expired, or if the
// platform may be restarting, it repeats the same login. Otherwise it tries another way to present the
// credentials, if there is one, which is part of connecting and not a failure.
func (p *reconnectPolicy) handleUnauthorized(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	lg := p.login
	var refused *graphql.RefusedError
	var noWay *graphql.MissingCredentialError
	switch {
	case errors.As(err, &refused) && !lg.Ways.IsTokenLogin():
		return p.slowDelay(), model.LinkRefused, lg.RefusalText(err)
	case p.lastSession.deliveredData, lg.IsStale():
		lg.ForgetLogin()
		return delay, model.LinkBackoff, ""
	case errors.As(err, &noWay):
		lg.Ways.MarkMissing()
	case lg.Ways.IsProven() && p.refusals < maxRejections: // a restarting platform may refuse good credentials
		p.refusals++
		lg.ForgetLogin()
		if lg.NeedsLogin() || p.refusals == 1 {
			return delay, model.LinkBackoff, ""
		}
		return p.refusedCredentialsDelay(), model.LinkRefused, lg.RefusalText(err)
	}
	if lg.Ways.SwitchToNext() {
		p.log.Info("trying another way to present the credentials", "way", lg.Ways.CurrentName(), "reason", p.clean(graphql.ErrorReason(err)))
		return delay, model.LinkConnecting, ""
	}
	p.refusals++
	lg.ForgetLogin()
	return p.refusedCredentialsDelay(), model.LinkRefused, lg.RefusalText(err)
}

// refusedCredentialsDelay returns how long to wait after a connection with the credentials was
// refused. The delay is short at first, because such refusals lock no account and a restarting
// platform may refuse good credentials.
func (p *reconnectPolicy) refusedCredentialsDelay() time.Duration {
	delay := refusedDelayBase << min(p.refusals-1, 8)
	if p.login.NeedsLogin() {
		return min(delay, refusedDelayCap)
	}
	return min(delay, p.slowDelay())
}

// flipSubprotocol makes the next attempt offer only the other sub-protocol. If the last session
// proved that the current one works, flipSubprotocol changes nothing and returns true. It returns
// false if both have been tried or the configuration allows only one.
func (p *reconnectPolicy) flipSubprotocol(err error) bool {
	if p.triedOtherSubprotocol || len(p.opts.Subprotocols) == 1 {
		return false
	}
	other := graphql.LegacyWS
	var subprotocolErr *graphql.SubprotocolError
	var closed *graphql.CloseError
	switch {
	case errors.As(err, &subprotocolErr):
		other = subprotocolErr.Offer
	case errors.As(err, &closed) && closed.Accepted && p.lastSession.uptime >= minStableUptime:
		return true // the sub-protocol worked until the session ended
	case errors.As(err, &closed):
		other = graphql.OtherSubprotocol(closed.Subprotocol)
	}
	p.triedOtherSubprotocol = true
	p.subprotocols = []string{other}
	return true
}

// jitter returns a random delay between 0 and a bound, so that many boards do not reconnect at the same time.
// The bound doubles with each failure, up to backoffCap.
func (p *reconnectPolicy) jitter() time.Duration {
	bound := min(backoffCap, backoffBase<<min(p.failures, 10))
	return time.Duration(p.opts.Jitter() * float64(bound))
}

// slowDelay returns slowRetryDelay ± 20 %, the delay after a failure that a quick retry will not
// cure.
func (p *reconnectPolicy) slowDelay() time.Duration {
	return time.Duration(float64(slowRetryDelay) * (0.8 + 0.4*p.opts.Jitter()))
}

// countBlockedUpgrade counts an upgrade that a proxy or firewall seems to have blocked. It returns
// true if enough upgrades in a row were blocked to try polling over HTTP. After polling has failed,
// the next attempt uses a WebSocket before polling is tried again.
func (p *reconnectPolicy) countBlockedUpgrade() bool {
	if !p.lastSession.usedPolling {
		p.blockedUpgrades++
		p.polling = p.blockedUpgrades >= maxBlockedUpgrades
	}
	return p.blockedUpgrades >= maxBlockedUpgrades
}

// limitFirstPollDelay returns delay. If the next attempt polls over HTTP and the last one used a
// WebSocket, the result is at most maxDelayAfterSuccess, because the failure says nothing about
// HTTP.
func (p *reconnectPolicy) limitFirstPollDelay(delay time.Duration) time.Duration {
	if p.polling && !p.lastSession.usedPolling {
		return min(delay, maxDelayAfterSuccess)
	}
	return delay
}

// looksBlocked reports whether err shows that the connection ended in the way in which a proxy without WebSocket
// support ends it. Only a successful attempt over HTTP can confirm that there is such a proxy.
func looksBlocked(err error) bool {
	var handshakeErr *graphql.HandshakeError
	var closed *graphql.CloseError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &closed) && !closed.Accepted && closed.Err != nil || // a close frame comes from a WebSocket endpoint
		errors.As(err, &handshakeErr) && handshakeErr.Status == http.StatusBadGateway
}
