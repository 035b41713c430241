package feeds

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// healthProbe is the query that tests the link while polling, or if the server does not answer pings.
const healthProbe = "query Probe { serverHealth { status } }"

const (
	// webSocketRetryDelay is the first interval for retrying a WebSocket while polling;
	// it doubles up to maxWebSocketRetryDelay.
	webSocketRetryDelay    = 5 * time.Second
	maxWebSocketRetryDelay = 3 * time.Minute
)

type connectionLoop struct {
	feed        *Feed
	policy      reconnectPolicy
	lastFailure string // why the last attempt or session ended; "": there was none
}

// connectLoop runs one session after another until ctx ends. No error ends it:
// failures that a retry cannot cure are retried slowly, with a banner.
func (f *Feed) connectLoop(ctx context.Context) {
	l := newConnectionLoop(f)
	for {
		err := l.runSession(ctx)
		if ctx.Err() != nil {
			f.endSession(model.LinkStopped, "", time.Time{}, 0)
			return
		}
		if l.redialRequested() {
			l.recordRedial()
			continue
		}
		delay, state, notice := l.policy.nextAttempt(err)
		f.setNotice(notice)
		reason := graphql.ErrorReason(err)
		l.lastFailure = reason
		f.mu.Lock()
		if state == model.LinkConnecting && f.connection.displayed.Reconnects == 0 {
			reason = "" // the next attempt may succeed
		}
		f.mu.Unlock()
		f.endSession(state, reason, f.now().Add(delay), l.policy.failures)
		if errors.Is(err, graphql.ErrInternal) {
			f.log.Error("panic in a session", "error", err)
		}
		f.log.Warn("connection ended", "reason", f.clean(graphql.ErrorReason(err)), "class", graphql.Classify(err).String(), "retry_in", delay.String())
		l.wait(ctx, delay)
	}
}

// newConnectionLoop returns a connection loop. If the server is known to accept only a single
// sub-protocol, the first session offers only that one.
func newConnectionLoop(f *Feed) *connectionLoop {
	l := &connectionLoop{feed: f, policy: reconnectPolicy{
		opts: &f.opts, login: f.login, log: f.log, clean: f.clean, server: f,
		subprotocols: f.opts.Subprotocols, readLimit: readLimit,
	}}
	if p := f.learner.dialect.Subprotocol(); p != "" && len(l.policy.subprotocols) == 0 {
		l.policy.subprotocols = []string{p}
	}
	return l
}

// wait waits for the delay. It returns early if ctx ends, if [Feed.Reconnect] has requested a new
// connection, or if a user asks for a retry. A retry also resets the refusals.
func (l *connectionLoop) wait(ctx context.Context, delay time.Duration) {
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-l.feed.retryRequested: // discard a retry that was requested before the wait
	default:
	}
	if l.redialRequested() {
		return
	}
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-l.feed.retryRequested:
		l.policy.resetRefusals()
	}
}

// runSession logs in, connects and serves the session. It returns the error that ended the session.
func (l *connectionLoop) runSession(ctx context.Context) error {
	f := l.feed
	ctx, cancel := l.prepareSession(ctx)
	defer cancel()
	l.policy.lastSession = sessionEnd{}
	if l.policy.polling {
		return l.servePolling(ctx)
	}
	h := &handler{feed: f}
	conn, err := l.dial(ctx, h)
	if err != nil {
		return err
	}
	return l.serve(ctx, h, conn)
}

// dial logs in and opens a WebSocket.
func (l *connectionLoop) dial(ctx context.Context, h graphql.Handler) (*graphql.Conn, error) {
	f := l.feed
	o := graphql.Options{
		URL: f.opts.WSURL, Subprotocols: l.policy.subprotocols, TLS: f.opts.TLS,
		DialContext: f.opts.DialContext, ReadLimit: l.policy.readLimit,
		NoPing: l.policy.omitsPings, Probe: healthProbe, Now: f.now,
		OnPause: func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.sleep.publishForFrame(f.now(), f.opts.Publish.Frames)
		},
	}
	l.showConnecting(f.login.StepName())
	if err := f.login.ApplyCredentials(ctx, &o); err != nil {
		return nil, err
	}
	l.showConnecting("opening the connection with " + f.login.Ways.CurrentName())
	conn, err := graphql.Dial(ctx, o, h)
	if err != nil {
		return nil, err
	}
	f.login.HideCookies(conn.ResponseHeader())
	return conn, nil
}

// serve serves an open session until it ends, and returns the reason for its end.
func (l *connectionLoop) serve(ctx context.Context, h *handler, conn *graphql.Conn) error {
	f := l.feed
	f.startSession(h, conn)
	up := f.now()
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { f.login.WatchClock(ctx) })
	defer wg.Wait()
	defer cancel()
	select {
	case <-ctx.Done():
		_ = conn.Close() // the session is over whether or not Close fails
	case <-conn.Done():
	}
	if l.recordEnd(h, up); l.policy.lastSession.uptime >= minStableUptime {
		f.recordLastingSession(l.policy.subprotocols)
	}
	return conn.Err()
}

// recordEnd stores in the policy how long the session lasted, whether it delivered data and whether
// it polled. startedAt is when the session began.
func (l *connectionLoop) recordEnd(h *handler, startedAt time.Time) {
	f := l.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	_, polled := h.conn.(*graphql.PollingConn)
	l.policy.lastSession = sessionEnd{uptime: f.now().Sub(startedAt), deliveredData: h.deliveredData, usedPolling: polled}
}

// showConnecting shows the current step of the attempt to connect. If the reason for the failure of
// the last attempt is not shown, because another way to log in is being tried, showConnecting
// appends it. It does nothing while the feed polls, because the link is up then.
func (l *connectionLoop) showConnecting(step string) {
	if l.policy.polling {
		return
	}
	f := l.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	d := &f.connection.displayed
	f.setLink(model.LinkConnecting, d.Reason)
	if l.lastFailure != "" && d.Reason == "" {
		step += "; before this: " + l.lastFailure
	}
	d.Trying, d.NextTry = f.clean(step), time.Time{}
}

// redialRequested reports whether [Feed.Reconnect] has requested a new connection.
func (l *connectionLoop) redialRequested() bool {
	f := l.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.connection.requestedRedial != nil
}

// prepareSession prepares the next session: it applies the options of [Feed.Reconnect], if there
// are new ones. The returned context ends when ctx ends or Reconnect is called again.
func (l *connectionLoop) prepareSession(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	f := l.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connection.cancelSession = cancel
	next := f.connection.requestedRedial
	if next == nil {
		return ctx, cancel
	}
	f.connection.requestedRedial = nil
	o, n := &f.opts, &next.opts
	elsewhere := o.URL != n.URL || o.WSURL != n.WSURL
	o.URL, o.WSURL, o.Subprotocols, o.Auth, o.Credentials = n.URL, n.WSURL, n.Subprotocols, n.Auth, n.Credentials
	o.TLS, o.InsecureTLS = n.TLS, n.InsecureTLS
	f.login = next.login
	f.connection.displayed.Endpoint, f.connection.displayed.InsecureTLS = publicAddress(o.WSURL), o.InsecureTLS
	o.Dialect, o.Profiles, o.PollEvery = n.Dialect, n.Profiles, cmp.Or(n.PollEvery, defaultPollEvery)
	f.learner.resetDialect()
	if elsewhere { // options for another platform: discard what was learned about the previous one
		f.filterBuilder.reset()
		f.clock = clockOffset{}
	}
	f.env.Times = f.learner.dialect.Times
	*l = *newConnectionLoop(f)
	return ctx, cancel
}

// recordRedial sets the displayed state after a session was ended because the configuration
// changed.
func (l *connectionLoop) recordRedial() {
	f := l.feed
	f.setNotice("")
	f.endSession(model.LinkConnecting, "the configuration has changed", time.Time{}, 0)
}

// openPoll logs in and opens a polling session over HTTP.
func (f *Feed) openPoll(ctx context.Context, h graphql.Handler) (*graphql.PollingConn, error) {
	cookie, err := f.login.Cookie(ctx)
	if err != nil {
		return nil, err
	}
	return graphql.OpenPolling(ctx, graphql.PollingOptions{
		URL: f.opts.URL, Cookie: cookie, Transport: graphql.NewTransport(f.opts.TLS, f.opts.DialContext),
		Probe: healthProbe, Now: f.now, Timer: f.timeRequest,
	}, h)
}

// servePolling runs the feed over HTTP. It periodically tries to open a WebSocket and, on success,
// stops polling and serves the session over the WebSocket. It returns the error that ended the
// session.
func (l *connectionLoop) servePolling(ctx context.Context) error {
	f := l.feed
	h := &handler{feed: f}
	p, err := f.openPoll(ctx, h)
	if err != nil {
		l.policy.polling, l.policy.lastSession.usedPolling = false, true
		return err
	}
	defer p.Close()
	f.startSession(h, p)
	f.setNotice(l.policy.pollNotice)
	began := f.now()
	wait := webSocketRetryDelay
	again := time.NewTimer(wait)
	defer again.Stop()
	for {
		select {
		case <-p.Context().Done():
			l.recordEnd(h, began)
			return context.Cause(p.Context())
		case <-again.C:
		case <-f.retryRequested:
			wait = webSocketRetryDelay
		}
		next := &handler{feed: f}
		conn, err := l.dial(p.Context(), next) // the attempt ends when polling ends
		if err == nil {
			p.Close()
			l.policy.polling, l.policy.blockedUpgrades = false, 0
			return l.serve(ctx, next, conn)
		}
		f.log.Info("WebSocket still not possible, polling continues", "reason", f.clean(graphql.ErrorReason(err)))
		wait = min(2*wait, maxWebSocketRetryDelay)
		again.Reset(wait)
	}
}
