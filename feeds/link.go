package feeds

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// The pace of reconnecting (docs/ARCHITECTURE.md, section Reconnecting).
const (
	backoffBase     = 500 * time.Millisecond
	backoffCap      = 30 * time.Second
	healthyAfter    = time.Minute // a session this long resets the backoff
	slowLane        = 5 * time.Minute
	maxReadLimit    = 64 << 20
	readLimit       = 16 << 20
	strippedMany    = 3
	unreachableMany = 3
	refusedBase     = 15 * time.Second // the first wait with a refused token; it doubles
	provenAfter     = 10 * time.Second // a sub-protocol that did this long is spoken
)

// healthProbe asks for a sign of life in band, where pings are not answered.
const healthProbe = "query Probe { serverHealth { status } }"

// link is the state of the connection loop between sessions.
type link struct {
	f            *Feed
	subprotocols []string
	polling      bool // WebSockets do not pass
	readLimit    int64
	noPing       bool
	suspect      int // sessions in a row that a ping of ours may have ended
	flipped      bool
	stripped     int // upgrades in a row that something swallowed
	failures     int
	relogged     bool          // the one login after a refusal was tried
	refusals     int           // of a token, in a row
	lived        time.Duration // how long the last session was up
}

// connectLoop makes one session after the other until the context ends. There
// is no error that ends it: what can not be cured by trying again goes to the
// slow lane, with a banner.
func (f *Feed) connectLoop(ctx context.Context) {
	l := newLink(f)
	for {
		began := f.now()
		err := l.session(ctx)
		if ctx.Err() != nil {
			f.down(model.LinkStopped, "", time.Time{}, 0)
			return
		}
		if f.redialling() {
			f.redialled()
			continue
		}
		if f.now().Sub(began) >= healthyAfter {
			l.failures, l.flipped, l.relogged, l.stripped, l.refusals = 0, false, false, 0, 0
		}
		delay, state, notice := l.judge(err)
		delay = max(delay, graphqlws.MinDelay(err), busyDelay(err))
		f.setNotice(notice)
		f.down(state, reasonOf(err), f.now().Add(delay), l.failures)
		if errors.Is(err, graphqlws.ErrInternal) {
			f.log.Error("panic in a session", "error", err)
		}
		f.log.Warn("connection ended", "reason", f.clean(reasonOf(err)), "class", graphqlws.Classify(err).String(), "retry_in", delay.String())
		l.wait(ctx, delay)
	}
}

// newLink offers first what is known to work.
func newLink(f *Feed) *link {
	l := &link{f: f, subprotocols: f.opts.Subprotocols, readLimit: readLimit}
	if p := f.speech.known.Subprotocol; p != "" && len(l.subprotocols) == 0 {
		l.subprotocols = []string{p}
	}
	return l
}

// wait sleeps until the delay is over, the context ends or a person asks for a
// try.
func (l *link) wait(ctx context.Context, delay time.Duration) {
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-l.f.retry: // asked for while there was nothing to retry
	default:
	}
	if l.f.redialling() {
		return
	}
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-l.f.retry:
		l.relogged, l.flipped, l.refusals = false, false, 0
	}
}

// session logs in, connects, and stays until the session ends.
func (l *link) session(ctx context.Context) error {
	f := l.f
	ctx, cancel := l.begin(ctx)
	defer cancel()
	l.lived = 0
	if l.polling {
		return l.poll(ctx)
	}
	f.connecting()
	h := &handler{f: f}
	conn, err := l.dial(ctx, h)
	if err != nil {
		return err
	}
	return l.stay(ctx, h, conn)
}

// dial logs in and opens a WebSocket.
func (l *link) dial(ctx context.Context, h graphqlws.Handler) (*graphqlws.Conn, error) {
	f := l.f
	o := graphqlws.Options{
		URL: f.opts.WSURL, Subprotocols: l.subprotocols, TLS: f.opts.TLS,
		DialContext: f.opts.DialContext, ReadLimit: l.readLimit,
		NoPing: l.noPing, Probe: healthProbe, Now: f.now,
	}
	if err := f.login.apply(ctx, &o); err != nil {
		return nil, err
	}
	return graphqlws.Dial(ctx, o, h) //nolint:wrapcheck // it names the package and the host
}

// stay serves a session until it ends.
func (l *link) stay(ctx context.Context, h *handler, conn *graphqlws.Conn) error {
	f := l.f
	f.up(h, conn)
	up := f.now()
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { f.watchClock(ctx, f.login) })
	defer wg.Wait()
	defer cancel()
	select {
	case <-ctx.Done():
		_ = conn.Close() // it ends either way
	case <-conn.Done():
	}
	if l.lived = f.now().Sub(up); l.lived >= provenAfter {
		f.proven(l.subprotocols)
	}
	return conn.Err() //nolint:wrapcheck // as above
}

// judge decides how long to wait and what to change before the next try.
func (l *link) judge(err error) (delay time.Duration, state model.LinkState, notice string) {
	l.failures++
	delay, state = l.jitter(), model.LinkBackoff
	var refused *refusedError
	if errors.As(err, &refused) || isUnauthorized(err) {
		return l.unauthorized(delay, err)
	}
	l.suspectPing(err)
	switch graphqlws.Classify(err) {
	case graphqlws.Auth:
		return l.unauthorized(delay, err)
	case graphqlws.FlipSubprotocol:
		if l.flip(err) {
			return delay, state, ""
		}
		l.subprotocols = l.f.opts.Subprotocols // the other is no better
		return l.slow(), model.LinkRefused, "The server speaks no sub-protocol that this board speaks: " + reasonOf(err)
	case graphqlws.TooBig:
		if !errors.Is(err, graphqlws.ErrTooBig) {
			if l.f.halveLargest() {
				return delay, state, ""
			}
			return l.slow(), model.LinkRefused, "The server does not take a request as long as this floor's: name a site, or services and groups, in [rtd]"
		}
		if l.readLimit < maxReadLimit {
			l.readLimit = maxReadLimit
			return delay, state, ""
		}
		if l.f.halveLargest() {
			return delay, state, ""
		}
		return l.slow(), model.LinkRefused, "The server sends messages beyond 64 MiB: name fewer services, groups or a site in [rtd]"
	case graphqlws.SlowLane:
		return l.slow(), model.LinkRefused, l.host() + " refuses the connection: " + reasonOf(err)
	case graphqlws.TLS:
		return l.slow(), model.LinkRefused, "No secure connection to " + l.host() + ": " + reasonOf(err)
	case graphqlws.Stripped:
		if l.stripped++; l.stripped >= strippedMany {
			l.polling = !l.polling // where that fails, too, the other way is next
			return delay, state, strippedNotice(err) + ": " + reasonOf(err)
		}
	case graphqlws.Retry, graphqlws.RateLimited:
		l.suspectProxy(err)
		if l.failures >= unreachableMany {
			return delay, state, l.host() + unreachable(err) + reasonOf(err)
		}
	}
	return delay, state, ""
}

// unreachable says of a server what has failed again and again: to come to it, or
// to stay with it.
func unreachable(err error) string {
	var closed *graphqlws.CloseError
	if errors.As(err, &closed) {
		return " does not keep the connection: "
	}
	return " can not be reached: "
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

// unauthorized tries once more, with a new login where there is one;
// credentials that were just refused are not sent again and again, so that no
// account gets locked.
func (l *link) unauthorized(delay time.Duration, err error) (time.Duration, model.LinkState, string) {
	notice := "The platform refuses " + l.f.login.what() + ": " + reasonOf(err)
	if l.f.login.another() && !l.relogged {
		l.relogged = true
		return delay, model.LinkBackoff, ""
	}
	if l.f.login.mode != AuthLogin {
		// A token can not be locked by trying it, and a platform that restarts
		// refuses good ones for a while.
		l.refusals++
		return min(l.slow(), refusedBase<<min(l.refusals-1, 8)), model.LinkRefused, notice
	}
	return l.slow(), model.LinkRefused, notice
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
	case errors.As(err, &closed) && closed.Acked && l.lived >= provenAfter:
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

func (f *Feed) connecting() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.setLink(model.LinkConnecting, f.link.Reason)
	f.link.NextTry = time.Time{}
}

// up takes a session over.
func (f *Feed) up(h *handler, conn transport) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if f.link.Subprotocol != "" {
		f.link.Reconnects++
	}
	h.conn, f.conn = conn, conn
	f.learnt, f.asking = false, ""
	f.link.Subprotocol = conn.Subprotocol()
	f.link.Attempt, f.link.NextTry = 0, time.Time{}
	f.setLink(model.LinkUp, "")
	f.notice = ""
	f.speech.tried = false
	f.link.PollEvery = 0
	if _, polls := conn.(*poller); polls {
		f.link.PollEvery = f.opts.PollEvery
	} else {
		f.readClock(conn.ResponseHeader(), conn.Opened(), conn.Opened())
	}
	for _, s := range f.subs {
		s.poll = f.link.PollEvery
		s.linkUp(conn, now)
	}
	f.stepAll(now)
}

// down notes that there is no session, and why.
func (f *Feed) down(state model.LinkState, reason string, next time.Time, attempt int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn != nil {
		f.link.LastFrame = f.conn.Stats().LastFrame
		if state == model.LinkBackoff || state == model.LinkRefused {
			f.cuts++
		}
	}
	f.conn = nil
	f.link.NextTry, f.link.Attempt = next, attempt
	f.setLink(state, reason)
	now := f.now()
	for _, s := range f.subs {
		s.linkDown(reason, now)
		if heard := f.link.LastFrame; !heard.IsZero() && s.status.FreshUntil.After(heard) {
			s.status.FreshUntil = heard // a dead link is noticed late
		}
	}
	f.publish(now, f.report(now))
}

func (f *Feed) setLink(state model.LinkState, reason string) {
	if f.link.State != state {
		f.link.State, f.link.Since = state, f.now()
	}
	f.link.Reason = f.clean(reason)
	f.dirty = true
	f.rouse()
}

func (f *Feed) setNotice(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notice = f.clean(s)
}

// reasonOf is the reason of an error, fit for the screen.
func reasonOf(err error) string {
	var refused *refusedError
	if errors.As(err, &refused) || isUnauthorized(err) {
		return err.Error()
	}
	return graphqlws.Reason(err)
}

// endpoint is an address without anything that may be secret.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
