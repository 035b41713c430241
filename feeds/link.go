package feeds

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/login"
	"wallboard/feeds/polling"
	"wallboard/model"
)

const (
	maxReadLimit = 64 << 20
	readLimit    = 16 << 20
	// provenAfter is when a session has lasted: what was wrong before is over.
	provenAfter = 10 * time.Second
)

// healthProbe asks for a sign of life in band, where pings are not answered.
const healthProbe = "query Probe { serverHealth { status } }"

// link is the state of the connection loop between sessions.
type link struct {
	f            *Feed
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

// ended is how the last session went.
type ended struct {
	lived  time.Duration // how long it was up; 0: it never was
	worked bool          // it brought data that need credentials
	polled bool          // it was, or was to be, over HTTP
}

// lasted reports whether the session is proof that all is well again.
func (e ended) lasted() bool { return e.worked && e.lived >= provenAfter }

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
		delay, state, notice := l.judge(err)
		f.setNotice(notice)
		f.down(state, login.Reason(err), f.now().Add(delay), l.failures)
		if errors.Is(err, graphqlws.ErrInternal) {
			f.log.Error("panic in a session", "error", err)
		}
		f.log.Warn("connection ended", "reason", f.clean(login.Reason(err)), "class", graphqlws.Classify(err).String(), "retry_in", delay.String())
		l.wait(ctx, delay)
	}
}

// newLink offers first what is known to work.
func newLink(f *Feed) *link {
	l := &link{f: f, subprotocols: f.opts.Subprotocols, readLimit: readLimit}
	if p := f.learner.speech.Subprotocol(); p != "" && len(l.subprotocols) == 0 {
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
	if l.redialling() {
		return
	}
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-l.f.retry:
		l.asked()
	}
}

// asked forgets what was refused: somebody wants it to be tried again.
func (l *link) asked() {
	l.flipped, l.refusals, l.rejections = false, 0, 0
	l.f.login.Ways.Again()
}

// session logs in, connects, and stays until the session ends.
func (l *link) session(ctx context.Context) error {
	f := l.f
	ctx, cancel := l.begin(ctx)
	defer cancel()
	l.last = ended{}
	if l.polling {
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
		URL: f.opts.WSURL, Subprotocols: l.subprotocols, TLS: f.opts.TLS,
		DialContext: f.opts.DialContext, ReadLimit: l.readLimit,
		NoPing: l.noPing, Probe: healthProbe, Now: f.now,
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
	if l.ends(h, up); l.last.lived >= provenAfter {
		l.proven(l.subprotocols)
	}
	return conn.Err() //nolint:wrapcheck // as above
}

// ends takes note of how a session went that is over.
func (l *link) ends(h *handler, up time.Time) {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	_, polled := h.conn.(*polling.Conn)
	l.last = ended{lived: f.now().Sub(up), worked: h.worked, polled: polled}
}

// connecting shows that a session is being opened.
func (l *link) connecting() {
	f := l.f
	f.mu.Lock()
	defer f.mu.Unlock()
	f.setLink(model.LinkConnecting, f.line.shown.Reason)
	f.line.shown.NextTry = time.Time{}
}

// up takes a session over.
func (f *Feed) up(h *handler, conn transport) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	h.conn = conn
	f.line.up(conn, f.login.Ways.Other(), f.opts.PollEvery)
	f.learner.connects(conn)
	f.setLink(model.LinkUp, "")
	f.env.Times.Anew()
	if !f.line.polls() {
		f.readClock(conn.ResponseHeader(), conn.Opened(), conn.Opened())
	}
	for _, s := range f.subs {
		s.delivery.poll = f.line.shown.PollEvery
		s.linkUp(conn, now)
	}
	f.stepAll(now)
}

// down notes that there is no session, and why.
func (f *Feed) down(state model.LinkState, reason string, next time.Time, attempt int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lower(state, reason, next, attempt, f.line.heard())
}

// lower is [Feed.down] for who holds mu. heard is when what was shown was last
// known to be fresh, if there was a session.
func (f *Feed) lower(state model.LinkState, reason string, next time.Time, attempt int, heard time.Time) {
	f.line.down(state, next, attempt, heard)
	f.learner.connects(nil)
	f.setLink(state, reason)
	now := f.now()
	for _, s := range f.subs {
		s.linkDown(reason, now)
		if heard := f.line.shown.LastFrame; !heard.IsZero() && s.status.FreshUntil.After(heard) {
			s.status.FreshUntil = heard // a dead link is noticed late
		}
	}
	f.publish(now, f.report(now))
}

// setLink changes the state of the line as it is shown.
func (f *Feed) setLink(state model.LinkState, reason string) {
	f.line.set(state, f.clean(reason), f.now())
	f.dirty = true
	f.sleep.rouse()
}

func (f *Feed) setNotice(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.line.notice = f.clean(s)
}

// endpoint is an address without anything that may be secret.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
