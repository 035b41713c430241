package graphqlws

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

const (
	sendQueueSize = 256 // messages that wait for the writer
	// closeTimeout is how long an orderly close may take before the link is cut.
	closeTimeout = time.Second
	// goroutineTimeout is how long Close waits for the goroutines.
	goroutineTimeout = 3 * closeTimeout
)

// Conn is a session that the server has accepted. Its methods are safe for
// concurrent use.
type Conn struct {
	opts     Options
	handler  Handler
	ws       *websocket.Conn
	rawConn  net.Conn // below TLS; its Close never blocks
	header   http.Header
	protocol protocol

	ctx        context.Context // ends with the session; its cause is the reason
	cancel     context.CancelCauseFunc
	acked      chan struct{} // closed by the reader when the server accepts the session
	writerDone chan struct{} // closed by the writer when it ends
	done       chan struct{} // closed by the last goroutine to end
	running    atomic.Int32  // number of running goroutines

	sendQueue chan message
	writeErr  atomic.Pointer[error]

	mu         sync.Mutex
	operations map[string]operation
	issuedIDs  uint64 // number of ids issued; they are the numbers 1 to issuedIDs

	startedAt time.Time // origin of the times in liveness
	openedAt  time.Time // startedAt on the reported clock (Options.Now)
	liveness  liveness
	stats     sessionCounters
}

// operation is an open operation. The id is stored so that it can be passed on
// without allocating.
type operation struct {
	id      string
	isProbe bool
}

// newConn starts a session on an upgraded connection. connection_init is the
// first message in the queue, because servers close the connection if it comes
// late.
func newConn(o Options, h Handler, ws *websocket.Conn, raw net.Conn, header http.Header, d protocol, first message) *Conn {
	c := &Conn{
		opts: o, handler: h, ws: ws, rawConn: raw, header: header, protocol: d,
		acked:      make(chan struct{}),
		writerDone: make(chan struct{}),
		done:       make(chan struct{}),
		sendQueue:  make(chan message, sendQueueSize),
		operations: map[string]operation{},
		startedAt:  time.Now(),
		openedAt:   o.Now(),
	}
	// The session outlives Dial's context, as a net.Conn does.
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.sendQueue <- first
	c.running.Store(3)
	go c.runReader()
	go c.runWriter()
	go c.runTimer()
	return c
}

// goroutineDone is called by each goroutine when it ends.
func (c *Conn) goroutineDone() {
	if c.running.Add(-1) == 0 {
		close(c.done)
	}
}

// recoverPanic, deferred in each goroutine, turns a panic into the end of the session,
// so that it does not crash the program and garble the terminal.
func (c *Conn) recoverPanic() {
	if v := recover(); v != nil {
		c.Abort(fmt.Errorf("%w: %v\n%s", ErrInternal, v, debug.Stack()))
	}
}

// Subscribe starts an operation, a query as well as a subscription, and returns
// its id, which is never reused in this session. It does not wait for the
// server. The first result may reach the Handler before Subscribe returns.
func (c *Conn) Subscribe(query string, variables map[string]any) (string, error) {
	return c.startOperation(query, variables, false)
}

func (c *Conn) startOperation(query string, variables map[string]any, probe bool) (string, error) {
	payload, err := json.Marshal(struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{query, variables})
	if err != nil {
		return "", fmt.Errorf("graphqlws: subscribe: encode variables: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.Err(); err != nil {
		return "", fmt.Errorf("graphqlws: subscribe: %w", err)
	}
	c.issuedIDs++
	id := strconv.FormatUint(c.issuedIDs, 10)
	if probe {
		id = probePrefix + id
	}
	c.operations[id] = operation{id: id, isProbe: probe}
	// Enqueue with the lock held, so that ids reach the server in ascending
	// order.
	if err := c.enqueue(textMessage(id, c.protocol.startType, payload)); err != nil {
		delete(c.operations, id)
		return "", fmt.Errorf("graphqlws: subscribe: %w", err)
	}
	return id, nil
}

// Unsubscribe ends an operation. It does not wait, because many servers do not
// answer. Later messages for the id are dropped. Unknown ids are ignored.
func (c *Conn) Unsubscribe(id string) {
	if _, ok := c.removeOperation([]byte(id)); ok {
		c.sendStop(id)
	}
}

// sendStop asks the server to end an operation that was already removed from ops.
func (c *Conn) sendStop(id string) {
	if c.ctx.Err() == nil {
		_ = c.enqueue(textMessage(id, c.protocol.stopType, nil)) // an error has ended the session
	}
}

// lookupOperation finds an open operation without allocating.
func (c *Conn) lookupOperation(id []byte) (operation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.operations[string(id)]
	return o, ok
}

// removeOperation removes an operation and returns it. It returns false if the operation was
// already removed.
func (c *Conn) removeOperation(id []byte) (operation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.operations[string(id)]
	delete(c.operations, string(id))
	return o, ok
}

// wasIssued reports whether the id was issued in this session.
func (c *Conn) wasIssued(id []byte) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(string(id), probePrefix), 10, 64)
	c.mu.Lock()
	defer c.mu.Unlock()
	return err == nil && n >= 1 && n <= c.issuedIDs
}

// Abort ends the session with the given reason and does not wait. It may be
// called from a Handler. Only the first reason counts.
func (c *Conn) Abort(reason error) { c.cancel(reason) }

// Close ends the session in an orderly way and waits for its goroutines,
// usually at most a second. It may be called more than once, but not from a
// Handler, where it would wait for itself until it returns [ErrHandlerStuck].
func (c *Conn) Close() error {
	c.Abort(ErrClosed)
	t := time.NewTimer(goroutineTimeout)
	defer t.Stop()
	select {
	case <-c.done:
		return nil
	case <-t.C:
		return ErrHandlerStuck
	}
}

// Done returns a channel that is closed when the session and its goroutines
// have ended. No Handler call follows.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns nil while the session is open, then the reason why it ended.
func (c *Conn) Err() error {
	if c.ctx.Err() == nil {
		return nil
	}
	return context.Cause(c.ctx)
}

// Subprotocol returns the sub-protocol in use, [TransportWS] or [LegacyWS].
func (c *Conn) Subprotocol() string { return c.protocol.name }

// Opened returns when the server answered the upgrade, on Options.Now's clock.
func (c *Conn) Opened() time.Time { return c.openedAt }

// ResponseHeader returns the header of the upgrade response (Date, Set-Cookie).
func (c *Conn) ResponseHeader() http.Header { return c.header }
