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
func (p *reconnectPolicy) nextAttempt(err error) (delay time.Duration, state model.LinkState, notice string) {
	p.clearDisprovedFailures()
	p.failures++
	if delay, state, notice = p.classify(err); state == model.LinkBackoff && p.lastSession.deliveredData && p.shortSessions <= maxShortSessions {
		// the server worked a moment ago: do not wait long
		return min(delay, maxDelayAfterSuccess), state, notice
	}
	return max(delay, graphqlws.MinDelay(err), min(login.BusyDelay(err), slowRetryDelay)), state, notice
}

// resetRefusals forgets refusals because a user asked for a retry.
func (p *reconnectPolicy) resetRefusals() {
	p.triedOtherSubprotocol, p.refusals, p.rejections = false, 0, 0
	p.login.Ways.ResetRefusals()
}

// clearDisprovedFailures forgets problems that the last session has disproved.
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

// offerAllSubprotocols offers all sub-protocols to the next session again, unless only one
// is known to work.
func (p *reconnectPolicy) offerAllSubprotocols() {
	if p.server.needsSingleSubprotocol() && p.offeredAll {
		return
	}
	p.offeredAll, p.subprotocols = true, p.opts.Subprotocols
}

// classify is [reconnectPolicy.nextAttempt] without the limits on the delay.
func (p *reconnectPolicy) classify(err error) (delay time.Duration, state model.LinkState, notice string) {
	delay, state = p.jitter(), model.LinkBackoff
	if login.IsRefusal(err) {
		return p.handleUnauthorized(delay, err)
	}
	p.suspectPing(err)
	switch class := graphqlws.Classify(err); class {
	case graphqlws.FlipSubprotocol:
		if p.lastSession.deliveredData || p.flipSubprotocol(err) {
			return delay, state, ""
		}
		p.subprotocols = p.opts.Subprotocols // the other one is no better
		return p.slowDelay(), model.LinkRefused, p.noProtocolNotice() + ": " + login.Reason(err)
	case graphqlws.TooBig:
		return p.handleTooBig(delay, err)
	case graphqlws.RetrySlowly:
		if p.rejections++; p.lastSession.deliveredData || p.rejections < maxRejections {
			return delay, state, ""
		}
		return p.slowDelay(), model.LinkRefused, p.host() + " refuses the connection: " + login.Reason(err)
	case graphqlws.TLS:
		return p.slowDelay(), model.LinkRefused, "No secure connection to " + p.host() + ": " + login.Reason(err)
	case graphqlws.UpgradeBlocked:
		p.subprotocols = p.opts.Subprotocols // a remembered sub-protocol may be what is refused
		if p.countBlockedUpgrade() {
			p.pollNotice = p.pinnedNotice(err)
			return p.limitFirstPollDelay(delay), state, cmp.Or(p.pollNotice, blockedNotice(err)+": "+login.Reason(err))
		}
	case graphqlws.Retry, graphqlws.RateLimited:
		if looksBlocked(err) && p.countBlockedUpgrade() {
			delay = p.limitFirstPollDelay(delay)
		}
		if p.failures >= maxUnreachableFailures {
			return delay, state, p.host() + unreachableNotice(err) + login.Reason(err)
		}
	case graphqlws.Auth: // handled above
	}
	return delay, state, ""
}

// noProtocolNotice returns the message that client and server have no common
// sub-protocol. It mentions a setting that allows only one.
func (p *reconnectPolicy) noProtocolNotice() string {
	if pinned := p.opts.Subprotocols; len(pinned) == 1 {
		return "The server does not speak " + pinned[0] + ", which subprotocol in [rtd] pins; \"auto\" lets it choose"
	}
	return "The server speaks no sub-protocol that this board speaks"
}

// pinnedNotice returns a message if a pinned sub-protocol may be why the upgrade was
// refused, otherwise "".
func (p *reconnectPolicy) pinnedNotice(err error) string {
	var shake *graphqlws.HandshakeError
	if len(p.opts.Subprotocols) != 1 || !errors.As(err, &shake) || shake.Status != http.StatusBadRequest {
		return ""
	}
	return p.noProtocolNotice() + ": " + login.Reason(err)
}

// handleTooBig requests less at a time, or raises the read limit, after a message was too large for
// the client or the server.
func (p *reconnectPolicy) handleTooBig(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	theirs := !errors.Is(err, graphqlws.ErrTooBig)
	switch {
	case !theirs && p.readLimit < maxReadLimit:
		p.readLimit = maxReadLimit
		return delay, model.LinkBackoff, ""
	case p.server.recordConnectionLost():
		return delay, model.LinkBackoff, ""
	case theirs:
		return p.slowDelay(), model.LinkRefused, "The server does not take a request as long as this floor's: name a site, or services and groups, in [rtd]"
	}
	return p.slowDelay(), model.LinkRefused, "The server sends messages beyond 64 MiB: name fewer services, groups or a site in [rtd]"
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
func (p *reconnectPolicy) host() string { return publicAddress(p.opts.WSURL) }

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
func (p *reconnectPolicy) suspectPing(err error) {
	if !graphqlws.PingMayBeCause(err) {
		p.pingSuspects = 0
		return
	}
	var closed *graphqlws.CloseError
	if p.pingSuspects++; p.pingSuspects >= 2 || errors.As(err, &closed) && closed.Code == closeBadRequest {
		p.omitsPings = true
	}
}

// handleUnauthorized decides which credentials to present next. A refused password is
// not sent repeatedly, so that no account gets locked. Credentials refused on a
// connection are presented in the other possible ways. If the session had
// worked, it has simply expired.
func (p *reconnectPolicy) handleUnauthorized(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	lg := p.login
	var refused *login.RefusedError
	var noWay *login.NoWayError
	switch {
	case errors.As(err, &refused) && !lg.Ways.IsTokenLogin():
		return p.slowDelay(), model.LinkRefused, lg.RefusalText(err)
	case p.lastSession.deliveredData, lg.IsStale():
		lg.ForgetGrant()
		return delay, model.LinkBackoff, ""
	case errors.As(err, &noWay):
		lg.Ways.MarkMissing()
	case lg.Ways.IsProven() && p.refusals < maxRejections: // a restarting platform refuses good credentials
		p.refusals++
		lg.ForgetGrant()
		if lg.NeedsLogin() || p.refusals == 1 {
			return delay, model.LinkBackoff, ""
		}
		return p.refusedCredentialsDelay(), model.LinkRefused, lg.RefusalText(err)
	}
	if lg.Ways.SwitchToNext() {
		p.log.Info("trying another way to present the credentials", "way", lg.Ways.CurrentName(), "reason", p.clean(login.Reason(err)))
		return delay, model.LinkBackoff, ""
	}
	p.refusals++
	lg.ForgetGrant()
	return p.refusedCredentialsDelay(), model.LinkRefused, lg.RefusalText(err)
}

// refusedCredentialsDelay returns how long to wait after a connection with the
// credentials was refused. It is short because such refusals lock no account, and
// because a restarting platform refuses good credentials for a while.
func (p *reconnectPolicy) refusedCredentialsDelay() time.Duration {
	delay := refusedDelayBase << min(p.refusals-1, 8)
	if p.login.NeedsLogin() {
		return min(delay, refusedDelayCap)
	}
	return min(delay, p.slowDelay())
}

// flipSubprotocol offers only the other sub-protocol, once.
func (p *reconnectPolicy) flipSubprotocol(err error) bool {
	if p.triedOtherSubprotocol || len(p.opts.Subprotocols) == 1 {
		return false
	}
	other := graphqlws.LegacyWS
	var wrong *graphqlws.SubprotocolError
	var closed *graphqlws.CloseError
	switch {
	case errors.As(err, &wrong):
		other = wrong.Offer
	case errors.As(err, &closed) && closed.Accepted && p.lastSession.uptime >= minStableUptime:
		return true // the sub-protocol worked until now, so it is not the problem
	case errors.As(err, &closed):
		other = graphqlws.OtherSubprotocol(closed.Subprotocol)
	}
	p.triedOtherSubprotocol = true
	p.subprotocols = []string{other}
	return true
}

// jitter returns a random delay between 0 and a doubling bound (full jitter),
// so that many boards do not reconnect at the same time.
func (p *reconnectPolicy) jitter() time.Duration {
	bound := min(backoffCap, backoffBase<<min(p.failures, 10))
	return time.Duration(p.opts.Jitter() * float64(bound))
}

// slowDelay returns the slow-lane delay: five minutes ± 20 %.
func (p *reconnectPolicy) slowDelay() time.Duration {
	return time.Duration(float64(slowRetryDelay) * (0.8 + 0.4*p.opts.Jitter()))
}

// countBlockedUpgrade counts an upgrade that a proxy or firewall seems to have blocked, and reports
// whether to use HTTP next. After a failure over HTTP, one WebSocket is tried before the next
// attempt over HTTP.
func (p *reconnectPolicy) countBlockedUpgrade() bool {
	if !p.lastSession.usedPolling {
		p.blockedUpgrades++
		p.polling = p.blockedUpgrades >= maxBlockedUpgrades
	}
	return p.blockedUpgrades >= maxBlockedUpgrades
}

// limitFirstPollDelay limits the delay before the first attempt over HTTP, which has not failed
// yet.
func (p *reconnectPolicy) limitFirstPollDelay(delay time.Duration) time.Duration {
	if p.polling && !p.lastSession.usedPolling {
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
