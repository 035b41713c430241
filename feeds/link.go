package feeds

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/login"
	"wallboard/feeds/polling"
	"wallboard/feeds/post"
	"wallboard/model"
)

// healthProbe asks for a sign of life in band, where pings are not answered.
const healthProbe = "query Probe { serverHealth { status } }"

const (
	// againAtOnce is after how long a WebSocket is tried first while polling; the
	// wait doubles up to webSocketAgain.
	againAtOnce    = 5 * time.Second
	webSocketAgain = 3 * time.Minute
)

// link is the connection loop.
type link struct {
	f     *Feed
	tries tries
}

// connectLoop makes one session after the other until the context ends. There
// is no error that ends it: what cannot be cured by trying again goes to the
// slow lane, with a banner.
func (f *Feed) connectLoop(ctx context.Context) {
	l := newLink(f)
	for {
		err := l.session(ctx)
		if ctx.Err() != nil {
			f.down(model.LinkStopped, "", time.Time{}, 0)
			return
		}
		if l.redialling() {
			l.redialled()
			continue
		}
		delay, state, notice := l.tries.judge(err)
		f.setNotice(notice)
		f.down(state, login.Reason(err), f.now().Add(delay), l.tries.failures)
		if errors.Is(err, graphqlws.ErrInternal) {
			f.log.Error("panic in a session", "error", err)
		}
		f.log.Warn("connection ended", "reason", f.clean(login.Reason(err)), "class", graphqlws.Classify(err).String(), "retry_in", delay.String())
		l.wait(ctx, delay)
	}
}

// newLink offers first what is known to work.
func newLink(f *Feed) *link {
	l := &link{f: f, tries: tries{
		opts: &f.opts, login: f.login, log: f.log, clean: f.clean, server: f,
		subprotocols: f.opts.Subprotocols, readLimit: readLimit,
	}}
	if p := f.learner.speech.Subprotocol(); p != "" && len(l.tries.subprotocols) == 0 {
		l.tries.subprotocols = []string{p}
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
	if l.redialling() {
		return
	}
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-l.f.retry:
		l.tries.again()
	}
}

// session logs in, connects, and stays until the session ends.
func (l *link) session(ctx context.Context) error {
	f := l.f
	ctx, cancel := l.begin(ctx)
	defer cancel()
	l.tries.last = ended{}
	if l.tries.polling {
		return l.poll(ctx)
	}
	l.connecting()
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
		URL: f.opts.WSURL, Subprotocols: l.tries.subprotocols, TLS: f.opts.TLS,
		DialContext: f.opts.DialContext, ReadLimit: l.tries.readLimit,
		NoPing: l.tries.noPing, Probe: healthProbe, Now: f.now,
	}
	if err := f.login.Apply(ctx, &o); err != nil {
		return nil, err //nolint:wrapcheck // it is typed
	}
	conn, err := graphqlws.Dial(ctx, o, h)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the package and the host
	}
	f.login.Hide(conn.ResponseHeader())
	return conn, nil
}

// stay serves a session until it ends.
func (l *link) stay(ctx context.Context, h *handler, conn *graphqlws.Conn) error {
	f := l.f
	f.up(h, conn)
	up := f.now()
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { f.login.WatchClock(ctx) })
	defer wg.Wait()
	defer cancel()
	select {
	case <-ctx.Done():
		_ = conn.Close() // it ends either way
	case <-conn.Done():
	}
	if l.ends(h, up); l.tries.last.lived >= provenAfter {
		f.proven(l.tries.subprotocols)
	}
	return conn.Err() //nolint:wrapcheck // as above
}

// ends takes note of how a session went that is over.
func (l *link) ends(h *handler, up time.Time) {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	_, polled := h.conn.(*polling.Conn)
	l.tries.last = ended{lived: f.now().Sub(up), worked: h.worked, polled: polled}
}

// connecting shows that a session is being opened.
func (l *link) connecting() {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	f.setLink(model.LinkConnecting, f.line.shown.Reason)
	f.line.shown.NextTry = time.Time{}
}

// redialling reports whether another connection is wanted.
func (l *link) redialling() bool {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.line.next != nil
}

// begin prepares the next session: by other options where they have come, and so
// that [Feed.Redial] can end it.
func (l *link) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	f.line.hangUp = cancel
	next := f.line.next
	if next == nil {
		return ctx, cancel
	}
	f.line.next = nil
	o, n := &f.opts, &next.opts
	elsewhere := o.URL != n.URL || o.WSURL != n.WSURL
	o.URL, o.WSURL, o.Subprotocols, o.Auth, o.Credentials = n.URL, n.WSURL, n.Subprotocols, n.Auth, n.Credentials
	o.TLS, o.InsecureTLS = n.TLS, n.InsecureTLS
	f.login = next.login
	f.line.shown.Endpoint, f.line.shown.InsecureTLS = endpoint(o.WSURL), o.InsecureTLS
	o.Dialect, o.Profiles, o.PollEvery = n.Dialect, n.Profiles, cmp.Or(n.PollEvery, defaultPollEvery)
	f.learner.begin()
	if elsewhere { // what was found on one platform is not on another
		f.members.begin()
		f.clock = clock{}
	}
	f.env.Times = f.learner.speech.Times
	*l = *newLink(f)
	return ctx, cancel
}

// redialled notes that a session ended because another one is wanted.
func (l *link) redialled() {
	f := l.f
	f.setNotice("")
	f.down(model.LinkConnecting, "the configuration has changed", time.Time{}, 0)
}

// openPoll opens a session over HTTP.
func (f *Feed) openPoll(ctx context.Context, h graphqlws.Handler) (*polling.Conn, error) {
	cookie, err := f.login.Cookie(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // it is typed
	}
	return polling.Open(ctx, polling.Options{ //nolint:wrapcheck // it is typed
		URL: f.opts.URL, Cookie: cookie, Transport: post.Transport(f.opts.TLS, f.opts.DialContext),
		Probe: healthProbe, Now: f.now, Timed: f.timeRequest,
	}, h)
}

// poll serves the feed over HTTP until that fails, or until a WebSocket passes
// again.
func (l *link) poll(ctx context.Context) error {
	f := l.f
	h := &handler{f: f}
	p, err := f.openPoll(ctx, h)
	if err != nil {
		l.tries.polling, l.tries.last.polled = false, true
		return err
	}
	defer p.Close()
	f.up(h, p)
	f.setNotice(l.tries.blamed)
	began := f.now()
	wait := againAtOnce
	again := time.NewTimer(wait)
	defer again.Stop()
	for {
		select {
		case <-p.Context().Done():
			l.ends(h, began)
			return context.Cause(p.Context()) //nolint:wrapcheck // it is typed
		case <-again.C:
		case <-f.retry:
			wait = againAtOnce
		}
		next := &handler{f: f}
		conn, err := l.dial(p.Context(), next) // which ends when polling does
		if err == nil {
			p.Close()
			l.tries.polling, l.tries.stripped = false, 0
			return l.stay(ctx, next, conn)
		}
		f.log.Info("still no WebSocket", "reason", f.clean(login.Reason(err)))
		wait = min(2*wait, webSocketAgain)
		again.Reset(wait)
	}
}
