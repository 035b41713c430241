package graphql

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
	sendQueueSize = 256 // number of messages that can wait for the writer
	// closeTimeout is how long the session waits for an orderly close before it closes the network
	// connection.
	closeTimeout = time.Second
	// goroutineTimeout is how long [Conn.Close] waits for the session's goroutines.
	goroutineTimeout = 3 * closeTimeout
)

// Conn is a session that the server has accepted. Its methods are safe for concurrent use.
type Conn struct {
	opts     Options
	handler  Handler
	ws       *websocket.Conn
	rawConn  net.Conn // network connection below TLS; closing it never blocks
	header   http.Header
	protocol protocol

	ctx        context.Context // ends with the session; its cause is the reason
	cancel     context.CancelCauseFunc
	acked      chan struct{} // closed by the reader when the server accepts the session
	writerDone chan struct{} // closed by the writer when it ends
	done       chan struct{} // closed when the last goroutine ends
	running    atomic.Int32  // number of running goroutines

	frameInterval atomic.Int64  // see PaceReads; a [time.Duration]
	endPause      chan struct{} // receives a value to end the pause between two reads

	sendQueue chan message
	writeErr  atomic.Pointer[error]

	mu         sync.Mutex
	operations map[string]operation
	issuedIDs  uint64 // number of IDs issued; they are the numbers 1 to issuedIDs

	startedAt time.Time // times in liveness are relative to it
	openedAt  time.Time // the same moment as startedAt, on the clock of Options.Now
	liveness  liveness
	stats     sessionCounters
}

// operation is an open operation. It stores its ID as a string, because the Handler then gets the
// ID without an allocation.
type operation struct {
	id      string
	isProbe bool
}

// newConn starts a session on an upgraded connection. first is the first message to send,
// connection_init. newConn sends it at once, because servers close a connection on which
// connection_init is late.
func newConn(o Options, h Handler, ws *websocket.Conn, raw net.Conn, header http.Header, d protocol, first message) *Conn {
	c := &Conn{
		opts: o, handler: h, ws: ws, rawConn: raw, header: header, protocol: d,
		acked:      make(chan struct{}),
		writerDone: make(chan struct{}),
		done:       make(chan struct{}),
		endPause:   make(chan struct{}, 1),
		sendQueue:  make(chan message, sendQueueSize),
		operations: map[string]operation{},
		startedAt:  time.Now(),
		openedAt:   o.Now(),
	}
	// The session outlives Dial's context, so it gets its own context.
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.sendQueue <- first
	c.running.Store(3)
	go c.runReader()
	go c.runWriter()
	go c.runTimer()
	return c
}

// goroutineDone records that one of the session's goroutines has ended. The last one closes done.
func (c *Conn) goroutineDone() {
	if c.running.Add(-1) == 0 {
		close(c.done)
	}
}

// recoverPanic ends the session if the goroutine that defers recoverPanic has panicked. An
// unrecovered panic would crash the program and garble the terminal.
func (c *Conn) recoverPanic() {
	if v := recover(); v != nil {
		c.Abort(fmt.Errorf("%w: %v\n%s", ErrInternal, v, debug.Stack()))
	}
}

// Subscribe starts an operation, which may be a query or a subscription. It returns the ID of the
// operation, which is never reused in this session. It does not wait for the server. The first
// result may reach the Handler before Subscribe returns.
func (c *Conn) Subscribe(query string, variables map[string]any) (string, error) {
	return c.startOperation(query, variables, false)
}

func (c *Conn) startOperation(query string, variables map[string]any, probe bool) (string, error) {
	payload, err := json.Marshal(struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{query, variables})
	if err != nil {
		return "", fmt.Errorf("graphql: subscribe: encode variables: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.Err(); err != nil {
		return "", fmt.Errorf("graphql: subscribe: %w", err)
	}
	c.issuedIDs++
	id := strconv.FormatUint(c.issuedIDs, 10)
	if probe {
		id = probePrefix + id
	}
	c.operations[id] = operation{id: id, isProbe: probe}
	// The message is queued with the lock held, so that IDs reach the server in ascending order.
	if err := c.enqueue(textMessage(id, c.protocol.startType, payload)); err != nil {
		delete(c.operations, id)
		return "", fmt.Errorf("graphql: subscribe: %w", err)
	}
	return id, nil
}

// Unsubscribe ends the operation id. It does not wait for the server, because many servers do not
// answer. Later messages for the operation are dropped. Unknown IDs are ignored.
func (c *Conn) Unsubscribe(id string) {
	if _, ok := c.removeOperation([]byte(id)); ok {
		c.sendStop(id)
	}
}

// sendStop asks the server to end the operation id, which was already removed from c.operations.
func (c *Conn) sendStop(id string) {
	if c.ctx.Err() == nil {
		_ = c.enqueue(textMessage(id, c.protocol.stopType, nil)) // an error has ended the session
	}
}

// lookupOperation returns the open operation with the given ID, without allocating. It returns
// false if there is none.
func (c *Conn) lookupOperation(id []byte) (operation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.operations[string(id)]
	return o, ok
}

// removeOperation removes and returns the open operation with the given ID. It returns false if
// there is none.
func (c *Conn) removeOperation(id []byte) (operation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.operations[string(id)]
	delete(c.operations, string(id))
	return o, ok
}

// wasIssued reports whether id is the ID of an operation of this session, open or ended.
func (c *Conn) wasIssued(id []byte) bool {
	n, err := strconv.ParseUint(strings.TrimPrefix(string(id), probePrefix), 10, 64)
	c.mu.Lock()
	defer c.mu.Unlock()
	return err == nil && n >= 1 && n <= c.issuedIDs
}

// Abort ends the session for the given reason. It does not wait for the end and may be called from
// a Handler. If Abort is called more than once, the first reason counts.
func (c *Conn) Abort(reason error) { c.cancel(reason) }

// Close ends the session in an orderly way and waits for its goroutines, usually at most a second. It may be
// called more than once. If a call of the Handler does not return in time, Close returns [ErrHandlerStuck]; so
// Close must not be called from a Handler.
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

// Done returns a channel that is closed when the session and its goroutines have ended. After that,
// the Handler is not called.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns nil while the session is open, and the reason for its end afterwards.
func (c *Conn) Err() error {
	if c.ctx.Err() == nil {
		return nil
	}
	return context.Cause(c.ctx)
}

// Subprotocol returns the sub-protocol in use, [TransportWS] or [LegacyWS].
func (c *Conn) Subprotocol() string { return c.protocol.name }

// Opened returns when the server answered the upgrade, according to Options.Now.
func (c *Conn) Opened() time.Time { return c.openedAt }

// ResponseHeader returns the header of the response to the upgrade, for instance with Date and
// Set-Cookie.
func (c *Conn) ResponseHeader() http.Header { return c.header }
