package rtd

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"wallboard/simulator/accounts"
	"wallboard/simulator/wire"
)

// The close codes of both sub-protocols.
const (
	closeBadRequest       = 4400
	closeUnauthorized     = 4401
	closeForbidden        = 4403
	closeNotAcceptable    = 4406
	closeInitTimeout      = 4408
	closeDuplicateID      = 4409
	closeTooManyInits     = 4429
	maxMessageBytes       = 16 << 20
	outQueue              = 64
	closeHandshakeTimeout = time.Second
)

// conn is one WebSocket. Its reader is the goroutine of the HTTP handler; its
// writer alone writes; every operation has a goroutine, which waits when the
// writer falls behind.
type conn struct {
	s      *Service
	ws     *websocket.Conn
	proto  subprotocol
	caller *caller

	ctx      context.Context //nolint:containedctx // the life of the connection
	cancel   context.CancelFunc
	out      chan frame
	farewell chan []byte   // holds the close frame once the server ends the connection
	written  chan struct{} // closed when the writer has ended
	acked    atomic.Bool
	closing  atomic.Bool
	inited   bool // connection_init came; the reader's own

	mu  sync.Mutex // guards ops
	ops map[string]*operation
	wg  sync.WaitGroup // of the operations
}

// frame is one message to the client.
type frame struct {
	kind int // of package websocket
	data []byte
}

// serveWS upgrades a request and serves the connection until it ends.
func (s *Service) serveWS(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{
		Subprotocols: s.opts.Switches.Subprotocols,
		CheckOrigin:  func(*http.Request) bool { return true }, // a simulator keeps no secrets from web pages
	}
	header := http.Header{"Date": {s.platform.World.Now().UTC().Format(http.TimeFormat)}}
	ws, err := upgrader.Upgrade(w, r, header)
	if err != nil {
		s.opts.Logger.Debug("upgrade failed", "err", err)
		return
	}
	c := &conn{
		s: s, ws: ws, ops: make(map[string]*operation), caller: &caller{Credentials: s.opts.Switches.SocketAuth.seen(credentialsOf(r))},
		out: make(chan frame, outQueue), farewell: make(chan []byte, 1), written: make(chan struct{}),
	}
	c.caller.loggedIn = func(l accounts.Login) { c.caller.SetSession(l.Session) }
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	defer c.cancel()
	if !s.sockets.register(c) {
		wire.Abort(ws.NetConn())
		return
	}
	defer s.sockets.unregister(c)

	ws.SetReadLimit(maxMessageBytes)
	if most := s.opts.Switches.MaxRequest; most > 0 {
		ws.SetReadLimit(int64(most))
	}
	ws.SetPingHandler(func(data string) error {
		c.send(frame{websocket.PongMessage, []byte(data)})
		return nil
	})
	ws.SetCloseHandler(func(int, string) error { return nil }) // the writer answers
	c.wg.Go(c.write)
	c.serve()
	c.cancel()
	c.wg.Wait()
	_ = ws.Close() // it may be closed already
}

// serve picks the protocol and reads until the connection ends.
func (c *conn) serve() {
	proto, ok := protocolFor(c.ws.Subprotocol())
	if !ok {
		c.close(closeNotAcceptable, "Subprotocol not acceptable")
		c.drain()
		return
	}
	c.proto = proto
	timeout := time.AfterFunc(c.s.opts.InitTimeout, func() {
		if !c.acked.Load() {
			c.close(closeInitTimeout, "Connection initialisation timeout")
		}
	})
	defer timeout.Stop()
	c.read()
}

// read handles messages until the connection ends.
func (c *conn) read() {
	for {
		c.expectLife()
		kind, data, err := c.ws.ReadMessage()
		if err != nil {
			c.echoClose(err)
			return
		}
		if c.closing.Load() {
			continue // until the peer's close frame, or the deadline
		}
		var m message
		if kind != websocket.TextMessage || json.Unmarshal(data, &m) != nil {
			c.proto.invalid(c, "", "Invalid message received")
			continue
		}
		c.proto.handle(c, m)
	}
}

// drain reads until the connection ends and handles nothing.
func (c *conn) drain() {
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			return
		}
	}
}

// expectLife sets how long the client may be silent: a client of the newer
// sub-protocol answers pings.
func (c *conn) expectLife() {
	if c.closing.Load() || !c.proto.pings() {
		return
	}
	_ = c.ws.SetReadDeadline(time.Now().Add(3 * c.s.opts.KeepAlive)) // a dead connection fails at reading, too
	if c.closing.Load() {
		c.limitFarewell() // it was closed in between
	}
}

// echoClose answers the client's close frame with its own code.
func (c *conn) echoClose(err error) {
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || c.closing.Load() {
		return
	}
	code := closed.Code
	if code == websocket.CloseNoStatusReceived || code == websocket.CloseAbnormalClosure {
		code = websocket.CloseNormalClosure
	}
	c.close(code, "")
	select {
	case <-c.written:
	case <-c.ctx.Done():
	case <-time.After(closeHandshakeTimeout):
	}
}

// send queues a frame; it waits for room and returns false when the connection
// has ended.
func (c *conn) send(f frame) bool {
	select {
	case c.out <- f:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// sendJSON queues a message.
func (c *conn) sendJSON(m message) bool {
	data, err := json.Marshal(m)
	if err != nil { // a payload that came from the client is valid JSON
		c.s.opts.Logger.Error("message not sent", "type", m.Type, "err", err)
		return false
	}
	return c.send(frame{websocket.TextMessage, c.s.text(data)})
}

// close ends the connection with a close code. What was queued before goes out
// first.
func (c *conn) close(code int, reason string) {
	if c.closing.Swap(true) {
		return
	}
	c.farewell <- websocket.FormatCloseMessage(code, reason) // the only one, so there is room
}

// limitFarewell bounds the wait for the client's close frame.
func (c *conn) limitFarewell() {
	_ = c.ws.SetReadDeadline(time.Now().Add(closeHandshakeTimeout))
}

// abort cuts the connection.
func (c *conn) abort() {
	c.cancel()
	wire.Abort(c.ws.NetConn())
}

// write is the writer: the only goroutine that writes to the socket.
func (c *conn) write() {
	defer close(c.written)
	ticker := time.NewTicker(c.s.opts.KeepAlive)
	defer ticker.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case closing := <-c.farewell:
			c.writeFarewell(closing)
			return
		case f := <-c.out:
			if !c.put(f) {
				return
			}
		case <-ticker.C:
			if c.acked.Load() && !c.put(frame{websocket.TextMessage, c.proto.keepAlive()}) {
				return
			}
		}
	}
}

// writeFarewell writes what is queued and then the close frame.
func (c *conn) writeFarewell(closing []byte) {
	for {
		select {
		case f := <-c.out:
			if !c.put(f) {
				return
			}
			continue
		default:
		}
		break
	}
	if c.put(frame{websocket.CloseMessage, closing}) {
		c.limitFarewell()
		c.stopAll()
	}
}

// put writes a frame; a connection that cannot be written to is cut.
func (c *conn) put(f frame) bool {
	kind := f.kind
	if kind == websocket.TextMessage && c.s.opts.Switches.Rules.BinaryFrames {
		kind = websocket.BinaryMessage
	}
	if err := c.ws.WriteMessage(kind, f.data); err != nil {
		c.abort()
		return false
	}
	return true
}
