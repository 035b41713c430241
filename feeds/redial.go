package feeds

import (
	"cmp"
	"context"
	"crypto/tls"
	"time"

	"wallboard/feeds/login"
	"wallboard/model"
)

// redial is a connection that takes the place of the present one.
type redial struct {
	opts  Options
	login *login.Login
}

// Redial connects anew with another address, another login, or by other rules,
// and keeps the picture, marked as old, until the new connection has brought its
// own. Of the options it takes URL, WSURL, Subprotocols, Auth, Credentials, TLS,
// InsecureTLS, Roots, Dialect, Profiles and PollEvery. It may be called from any goroutine; its errors are
// those of [New].
func (f *Feed) Redial(o Options) error {
	if o.TLS == nil {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	o.DialContext = f.opts.DialContext // which nobody changes
	lg, err := f.newLogin(&o)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.line.next = &redial{o, lg}
	hangUp := f.line.hangUp
	f.mu.Unlock()
	if hangUp != nil {
		hangUp()
	}
	f.Retry()
	return nil
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
	o.TLS, o.InsecureTLS, o.Roots = n.TLS, n.InsecureTLS, n.Roots
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
