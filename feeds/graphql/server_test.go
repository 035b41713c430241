package graphql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"wallboard/internal/lib/testkit"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	goleak.VerifyTestMain(m)
}

// bubble runs a test with fake time. It fails if a goroutine is left or
// everything is blocked.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, f)
}

// pipeListener provides in-memory connections, which work with fake time.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
	wrap  func(net.Conn) net.Conn // wraps the client's end; may be nil
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "tcp" }
func (pipeAddr) String() string  { return "pipe" }

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		if l.wrap != nil {
			return l.wrap(ours), nil
		}
		return ours, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve runs an HTTP server in memory until the end of the test.
func serve(t *testing.T, h http.HandlerFunc) (*pipeListener, Options) {
	t.Helper()
	l := newPipeListener()
	srv := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return l, Options{URL: "ws://rtd.test/graphql?token=secret", DialContext: l.dial}
}

// accept is a handler that upgrades, choosing a sub-protocol, and runs a script.
func accept(t *testing.T, choose func(offered []string) string, script func(*peer)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := http.Header{}
		if sub := choose(websocket.Subprotocols(r)); sub != "" {
			header.Set("Sec-Websocket-Protocol", sub)
		}
		header.Set("Set-Cookie", "vendorRtdSessionID=1")
		up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
		ws, err := up.Upgrade(w, r, header)
		if err != nil {
			t.Errorf("upgrade: %v", err)
			return
		}
		defer func() { _ = ws.Close() }()
		script(&peer{t: t, ws: ws, sub: header.Get("Sec-Websocket-Protocol")})
	}
}

func first(offered []string) string { return offered[0] }
func none([]string) string          { return "" }

func always(sub string) func([]string) string {
	return func([]string) string { return sub }
}

// peer is the server's end of a session.
type peer struct {
	t   *testing.T
	ws  *websocket.Conn
	sub string
}

type received struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// read returns the next message, or false when the session has ended.
func (p *peer) read() (received, bool) {
	_, b, err := p.ws.ReadMessage()
	if err != nil {
		return received{}, false
	}
	var m received
	if err := json.Unmarshal(b, &m); err != nil {
		p.t.Errorf("client sent %q: %v", b, err)
	}
	return m, true
}

func (p *peer) expect(typ string) received {
	m, ok := p.read()
	if !ok || m.Type != typ {
		p.t.Errorf("client sent %q (open: %v), want %q", m.Type, ok, typ)
	}
	return m
}

// closeCode reads until the session ends and returns the client's close code.
func (p *peer) closeCode() int {
	for {
		_, _, err := p.ws.ReadMessage()
		var closed *websocket.CloseError
		switch {
		case errors.As(err, &closed):
			return closed.Code
		case err != nil:
			return 0
		}
	}
}

func (p *peer) drain() { p.closeCode() }

func (p *peer) send(format string, args ...any) {
	// A failure shows as a missing frame; the session may have ended.
	_ = p.ws.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...))
}

func (p *peer) ack() {
	p.expect("connection_init")
	p.send(`{"type":"connection_ack"}`)
}

func (p *peer) close(code int, reason string) {
	_ = p.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(time.Minute))
}

// recorder is a Handler that records events.
type recorder struct{ events chan string }

func newRecorder() *recorder { return &recorder{events: make(chan string, 10000)} }

func (r *recorder) Next(id string, payload []byte)                  { r.events <- "next " + id + " " + string(payload) }
func (r *recorder) Complete(id string)                              { r.events <- "complete " + id }
func (r *recorder) UnreadableFrame(reason string, _ []byte, _ bool) { r.events <- "bad " + reason }
func (r *recorder) Fail(id string, errs []Error) {
	r.events <- "fail " + id + " " + errs[0].Error()
}

// expect waits for exactly these events.
func (r *recorder) expect(t *testing.T, events ...string) {
	t.Helper()
	for _, want := range events {
		select {
		case got := <-r.events:
			if got != want {
				t.Fatalf("event %q, want %q", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("no event, want %q", want)
		}
	}
}

// expectNone checks that there are no more events. Only for bubbles.
func (r *recorder) expectNone(t *testing.T) {
	t.Helper()
	synctest.Wait()
	select {
	case got := <-r.events:
		t.Fatalf("unexpected event %q", got)
	default:
	}
}

// open dials a scripted server that accepts the first sub-protocol offered.
func open(t *testing.T, script func(*peer), change ...func(*Options)) (*Conn, *recorder) {
	t.Helper()
	c, r, err := tryOpen(t, first, script, change...)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	return c, r
}

func tryOpen(t *testing.T, choose func([]string) string, script func(*peer), change ...func(*Options)) (*Conn, *recorder, error) {
	t.Helper()
	_, o := serve(t, accept(t, choose, script))
	for _, f := range change {
		f(&o)
	}
	r := newRecorder()
	c, err := Dial(t.Context(), o, r)
	if err == nil {
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
	return c, r, err
}

func legacy(o *Options)    { o.Subprotocols = []string{LegacyWS} }
func transport(o *Options) { o.Subprotocols = []string{TransportWS} }

// subscribe starts an operation and returns its id.
func subscribe(t *testing.T, c *Conn) string {
	t.Helper()
	id, err := c.Subscribe("subscription{users{username}}", nil)
	if err != nil {
		t.Fatalf("subscribe: %v", err)
	}
	return id
}

// ended waits for the end of the session and returns its reason.
func ended(t *testing.T, c *Conn) error {
	t.Helper()
	<-c.Done()
	if c.Err() == nil {
		t.Error("the session ended without a reason")
	}
	return c.Err()
}
