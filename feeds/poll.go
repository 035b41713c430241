package feeds

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/login"
	"wallboard/feeds/polling"
	"wallboard/feeds/post"
)

const (
	// againAtOnce is after how long a WebSocket is tried first while polling; the
	// wait doubles up to webSocketAgain.
	againAtOnce    = 5 * time.Second
	webSocketAgain = 3 * time.Minute
)

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
		l.polling, l.last.polled = false, true
		return err
	}
	defer p.Close()
	f.up(h, p)
	f.setNotice(l.blamed)
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
			l.polling, l.stripped = false, 0
			return l.stay(ctx, next, conn)
		}
		f.log.Info("still no WebSocket", "reason", f.clean(login.Reason(err)))
		wait = min(2*wait, webSocketAgain)
		again.Reset(wait)
	}
}

// swallowed counts an upgrade that something on the way does not let pass, and
// reports whether that has been so again and again. Then HTTP is next; where that
// fails, a WebSocket is tried once before it is next again. What ends polling says
// nothing about WebSockets.
func (l *link) swallowed() bool {
	if !l.last.polled {
		l.stripped++
		l.polling = l.stripped >= strippedMany
	}
	return l.stripped >= strippedMany
}

// soon bounds the wait before the first try of another way: it has not failed yet.
func (l *link) soon(delay time.Duration) time.Duration {
	if l.polling && !l.last.polled {
		return min(delay, soonAfter)
	}
	return delay
}

// swallows reports whether a connection was closed as by something on the way that
// does not know WebSockets; whether HTTP passes, polling finds out.
func swallows(err error) bool {
	var shake *graphqlws.HandshakeError
	var closed *graphqlws.CloseError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &closed) && !closed.Acked && closed.Err != nil || // a close frame is a WebSocket's
		errors.As(err, &shake) && shake.Status == http.StatusBadGateway
}
