package restclient

import (
	"context"
	"net/http/httptrace"
	"sync"
)

// permissionKey is the context key for the function passed to [WithPermission].
type permissionKey struct{}

// WithPermission returns a context for requests that need a permission. Such a request calls
// allowed at the last moment: after the headers are written and before the platform can act on
// them. If allowed returns false, the request is not sent and its error wraps [ErrPermissionLost].
//
// The check comes so late because the permission may end while a connection is made, or while
// this machine sleeps.
func WithPermission(ctx context.Context, allowed func() bool) context.Context {
	return context.WithValue(ctx, permissionKey{}, allowed)
}

// requestTrace records the progress of a request.
type requestTrace struct {
	mu             sync.Mutex
	closeConn      func() error // closes the connection
	wroteHeaders   bool         // the headers were written, so the request may have reached the platform
	answered       bool         // the first byte of an answer arrived
	abandoned      bool         // the request counts as not sent and must not be sent later
	permissionLost bool         // the permission had ended when the headers were written
}

// attach returns a context for a request whose progress is recorded in t.
func (t *requestTrace) attach(ctx context.Context) context.Context {
	isPermitted, isRestricted := ctx.Value(permissionKey{}).(func() bool)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.closeConn = i.Conn.Close
		},
		// This function can still stop the request, because net/http calls it before it flushes the
		// end of the headers.
		WroteHeaders: func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if !t.abandoned && isRestricted && !isPermitted() {
				t.abandoned, t.permissionLost = true, true
			}
			if t.abandoned && t.closeConn != nil {
				_ = t.closeConn() // makes the flush fail
				return
			}
			t.wroteHeaders = true
		},
		GotFirstResponseByte: func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.answered = true
		},
	})
}

// abandon reports whether a failed request was not sent. If so, it also prevents the request
// from being sent later, because net/http writes in its own goroutine, which may still run
// when a canceled request returns.
func (t *requestTrace) abandon() (notSent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.abandoned = !t.wroteHeaders
	return t.abandoned
}

func (t *requestTrace) lostPermission() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.permissionLost
}

func (t *requestTrace) gotAnswer() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.answered
}
