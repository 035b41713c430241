package restclient

import (
	"context"
	"net/http/httptrace"
	"sync"
)

// mayKey is the context key of the function passed to While.
type mayKey struct{}

// WithPermission returns a context whose requests are sent only if may returns true at the last
// moment: when the headers are complete and before the platform can act on them. Otherwise
// the request is not sent and the error is ErrPermissionLost. The right to act may be lost while a
// connection is made, or while this machine sleeps.
func WithPermission(ctx context.Context, may func() bool) context.Context {
	return context.WithValue(ctx, mayKey{}, may)
}

// trace records how far a request got.
type trace struct {
	mu        sync.Mutex
	conn      func() error // closes the connection
	complete  bool         // the headers were written: the request may have reached the platform
	answered  bool         // the first byte of an answer arrived
	abandoned bool         // it counts as not sent
	late      bool         // it was no longer allowed
}

// watch returns a context that reports to t.
func (t *trace) watch(ctx context.Context) context.Context {
	may, fenced := ctx.Value(mayKey{}).(func() bool)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.conn = i.Conn.Close
		},
		// net/http calls this before it flushes the end of the headers.
		WroteHeaders: func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			if !t.abandoned && fenced && !may() {
				t.abandoned, t.late = true, true
			}
			if t.abandoned && t.conn != nil {
				_ = t.conn() // makes the flush fail
				return
			}
			t.complete = true
		},
		GotFirstResponseByte: func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.answered = true
		},
	})
}

// abandon reports whether a failed request was not sent, and ensures that it will not be:
// net/http writes in its own goroutine, which may still run when a cancelled request
// returns.
func (t *trace) abandon() (notSent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.abandoned = !t.complete
	return t.abandoned
}

func (t *trace) wasLate() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.late
}

func (t *trace) gotAnswer() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.answered
}
