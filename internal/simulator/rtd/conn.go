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

	"wallboard/internal/simulator/webservice"
)

// Close codes of graphql-transport-ws, some of which both sub-protocols use, and limits of a connection.
const (
	closeBadRequest       = 4400
	closeUnauthorized     = 4401
	closeForbidden        = 4403
	closeNotAcceptable    = 4406
	closeInitTimeout      = 4408
	closeDuplicateID      = 4409
	closeTooManyInits     = 4429
	maxMessageBytes       = 16 << 20
	outQueueLength        = 64
	closeHandshakeTimeout = time.Second
)

// conn is a WebSocket connection. The goroutine of the HTTP handler reads it, a second
// goroutine does all writes, and each operation has a goroutine of its own. Sending blocks
// while the outgoing queue is full.
type conn struct {
	service *Service
	ws      *websocket.Conn
	proto   subprotocol
	caller  *caller

	ctx             context.Context //nolint:containedctx // lifetime of the connection
	cancel          context.CancelFunc
	outQueue        chan frame
	closeFrame      chan []byte   // receives the close frame when the server closes the connection
	writerDone      chan struct{} // closed when the writer goroutine has ended
	isAcknowledged  atomic.Bool
	isClosing       atomic.Bool
	hasReceivedInit bool // connection_init was received; used only by the reader

	mu  sync.Mutex // guards ops
	ops map[string]*operation
	wg  sync.WaitGroup // counts the writer and the operations
}

// frame is an encoded WebSocket message to the client.
type frame struct {
	messageType int // websocket.TextMessage, websocket.BinaryMessage or websocket.CloseMessage
	data        []byte
}

// serveWS upgrades a request and serves the connection until it ends.
func (s *Service) serveWS(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{
		Subprotocols: s.opts.Switches.Subprotocols,
		CheckOrigin:  func(*http.Request) bool { return true }, // a simulator has no secrets to protect from web pages
	}
	header := http.Header{"Date": {s.platform.World.Now().UTC().Format(http.TimeFormat)}}
	ws, err := upgrader.Upgrade(w, r, header)
	if err != nil {
		s.opts.Logger.Debug("WebSocket upgrade failed", "err", err)
		return
	}
	c := &conn{
		service: s, ws: ws, ops: make(map[string]*operation), caller: &caller{Credentials: s.opts.Switches.SocketAuth.acceptedCredentials(credentialsOf(r))},
		outQueue: make(chan frame, outQueueLength), closeFrame: make(chan []byte, 1), writerDone: make(chan struct{}),
	}
	c.caller.onLogin = func(l webservice.Login) { c.caller.SetSession(l.Session) }
	c.ctx, c.cancel = context.WithCancel(s.ctx)
	defer c.cancel()
	if !s.sockets.register(c) {
		webservice.Abort(ws.NetConn())
		return
	}
	defer s.sockets.unregister(c)

	ws.SetReadLimit(maxMessageBytes)
	if limit := s.opts.Switches.MaxRequest; limit > 0 {
		ws.SetReadLimit(int64(limit))
	}
	ws.SetPingHandler(func(data string) error {
		c.send(frame{websocket.PongMessage, []byte(data)})
		return nil
	})
	ws.SetCloseHandler(func(int, string) error { return nil }) // the writer answers the client's close frame
	c.wg.Go(c.runWriter)
	c.serve()
	c.cancel()
	c.wg.Wait()
	_ = ws.Close() // it may already be closed
}

// serve selects the sub-protocol and handles messages until the connection ends.
func (c *conn) serve() {
	proto, ok := protocolFor(c.ws.Subprotocol())
	if !ok {
		c.close(closeNotAcceptable, "Subprotocol not acceptable")
		c.discardMessages()
		return
	}
	c.proto = proto
	timeout := time.AfterFunc(c.service.opts.InitTimeout, func() {
		if !c.isAcknowledged.Load() {
			c.close(closeInitTimeout, "Connection initialisation timeout")
		}
	})
	defer timeout.Stop()
	c.readMessages()
}

// readMessages reads and handles messages until the connection ends.
func (c *conn) readMessages() {
	for {
		c.extendReadDeadline()
		kind, data, err := c.ws.ReadMessage()
		if err != nil {
			c.echoClose(err)
			return
		}
		if c.isClosing.Load() {
			continue // discard messages until the peer's close frame or the deadline
		}
		var m message
		if kind != websocket.TextMessage || json.Unmarshal(data, &m) != nil {
			c.proto.answerInvalid(c, "", "Invalid message received")
			continue
		}
		c.proto.handle(c, m)
	}
}

// discardMessages reads and discards messages until the connection ends.
func (c *conn) discardMessages() {
	for {
		if _, _, err := c.ws.ReadMessage(); err != nil {
			return
		}
	}
}

// extendReadDeadline extends the read deadline if clients of the sub-protocol answer pings. A
// client that does not answer then misses the deadline.
func (c *conn) extendReadDeadline() {
	if c.isClosing.Load() || !c.proto.clientsAnswerPings() {
		return
	}
	_ = c.ws.SetReadDeadline(time.Now().Add(3 * c.service.opts.KeepAlive)) // if the connection is dead, ReadMessage returns the error
	if c.isClosing.Load() {
		c.limitCloseWait() // the server has begun to close the connection in the meantime
	}
}

// echoClose answers the client's close frame with a close frame of the same code, or of code
// 1000 if the client sent none. It waits until the close frame is written, for up to
// closeHandshakeTimeout. err is the error of the last read; if it does not report a close
// frame, echoClose does nothing.
func (c *conn) echoClose(err error) {
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || c.isClosing.Load() {
		return
	}
	code := closed.Code
	if code == websocket.CloseNoStatusReceived || code == websocket.CloseAbnormalClosure {
		code = websocket.CloseNormalClosure
	}
	c.close(code, "")
	select {
	case <-c.writerDone:
	case <-c.ctx.Done():
	case <-time.After(closeHandshakeTimeout):
	}
}

// send queues a frame and blocks while the queue is full. It returns false if the
// connection has ended.
func (c *conn) send(f frame) bool {
	select {
	case c.outQueue <- f:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// sendJSON queues a message as a text frame. It returns false if the connection has ended or
// the message cannot be encoded.
func (c *conn) sendJSON(m message) bool {
	data, err := json.Marshal(m)
	if err != nil { // cannot happen: payloads from the client are valid JSON
		c.service.opts.Logger.Error("cannot encode message", "type", m.Type, "err", err)
		return false
	}
	return c.send(frame{websocket.TextMessage, c.service.withHostileTexts(data)})
}

// close closes the connection with a close code after the queued frames have been written. It
// does not wait. Only the first call has an effect.
func (c *conn) close(code int, reason string) {
	if c.isClosing.Swap(true) {
		return
	}
	c.closeFrame <- websocket.FormatCloseMessage(code, reason) // never blocks: isClosing guarantees a single send
}

// limitCloseWait limits the time that the server waits for the client's close frame.
func (c *conn) limitCloseWait() {
	_ = c.ws.SetReadDeadline(time.Now().Add(closeHandshakeTimeout))
}

// abort cuts the connection without a close frame.
func (c *conn) abort() {
	c.cancel()
	webservice.Abort(c.ws.NetConn())
}

// runWriter writes the queued frames and the keep-alive messages. It is the only goroutine
// that writes to the socket.
func (c *conn) runWriter() {
	defer close(c.writerDone)
	ticker := time.NewTicker(c.service.opts.KeepAlive)
	defer ticker.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case closing := <-c.closeFrame:
			c.writeClose(closing)
			return
		case f := <-c.outQueue:
			if !c.writeFrame(f) {
				return
			}
		case <-ticker.C:
			if c.isAcknowledged.Load() && !c.writeFrame(frame{websocket.TextMessage, c.proto.keepAliveMessage()}) {
				return
			}
		}
	}
}

// writeClose writes the queued frames and then the close frame, and stops the operations.
func (c *conn) writeClose(closing []byte) {
	for {
		select {
		case f := <-c.outQueue:
			if !c.writeFrame(f) {
				return
			}
			continue
		default:
		}
		break
	}
	if c.writeFrame(frame{websocket.CloseMessage, closing}) {
		c.limitCloseWait()
		c.stopOperations()
	}
}

// writeFrame writes a frame to the socket. If that fails, it aborts the connection and returns
// false.
func (c *conn) writeFrame(f frame) bool {
	kind := f.messageType
	if kind == websocket.TextMessage && c.service.opts.Switches.Rules.BinaryFrames {
		kind = websocket.BinaryMessage
	}
	if err := c.ws.WriteMessage(kind, f.data); err != nil {
		c.abort()
		return false
	}
	return true
}
