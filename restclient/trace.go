package restclient

import (
	"context"
	"net/http/httptrace"
	"sync"
)

// fence is the key of a context under which stands whether a request may still begin.
type fence struct{}

// While has a request be sent only if may says so at the last moment, when its headers
// are complete and before the platform can act on them. Otherwise it is not sent, and the
// error is ErrLate: who held the right to act may have lost it while a connection was made,
// or while this machine slept.
func While(ctx context.Context, may func() bool) context.Context {
	return context.WithValue(ctx, fence{}, may)
}

// trace watches how far a request gets.
type trace struct {
	mu        sync.Mutex
	conn      func() error // closes the connection
	complete  bool         // the headers were written: the request may reach the platform
	answered  bool         // the first byte of an answer came
	abandoned bool         // it was declared not sent
	late      bool         // it was not allowed any more
}

// watch returns a context that reports to t.
func (t *trace) watch(ctx context.Context) context.Context {
	may, fenced := ctx.Value(fence{}).(func() bool)
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
				_ = t.conn() // so that the flush fails; whoever asked is gone, or may not any more
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

// abandon reports whether a request that failed has not been sent, and sees to
// it that it stays so: net/http writes in a goroutine of its own, which may
// still be at it when a cancelled request returns.
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
