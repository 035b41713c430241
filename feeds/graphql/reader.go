package graphql

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gorilla/websocket"

	"wallboard/internal/lib/powersave"
)

const (
	initialBufferSize = 16 << 10 // bytes
	// maxKeptBufferSize is the size in bytes up to which the read buffer is kept. A larger buffer
	// is released largeBufferLife after the last message that needed it. Full states may be huge
	// but are rare; updates and audit answers fit into maxKeptBufferSize.
	maxKeptBufferSize = 2 << 20
	largeBufferLife   = 5 * time.Second
)

// runReader is the reader goroutine: it reads and handles frames until the session ends.
func (c *Conn) runReader() {
	defer c.goroutineDone()
	defer c.recoverPanic()
	c.ws.SetReadLimit(c.opts.ReadLimit)
	c.ws.SetPingHandler(c.onPing)
	c.ws.SetPongHandler(c.onPong)
	// The writer answers close frames. The default handler would write from this goroutine, too.
	c.ws.SetCloseHandler(func(int, string) error { return nil })

	if limited, ok := c.rawConn.(*limitedConn); ok {
		limited.pause = c.pauseReading
	}

	buf := make([]byte, initialBufferSize)
	acked := false
	var largeAt time.Time
	for c.ctx.Err() == nil {
		frame, err := c.nextFrame(&buf)
		if err != nil {
			c.Abort(c.endReason(err, acked))
			return
		}
		c.stats.frames.Add(1)
		c.stats.bytes.Add(int64(len(frame)))
		acked = c.handleFrame(frame, acked)
		switch {
		case len(frame) > maxKeptBufferSize:
			largeAt = time.Now()
		case cap(buf) > maxKeptBufferSize && time.Since(largeAt) > largeBufferLife:
			buf = make([]byte, initialBufferSize)
		}
	}
}

const (
	// ReadLead is how long before a frame the data for it is read, so that the snapshot for the frame
	// has all of it.
	ReadLead = 70 * time.Millisecond
	// busyReadInterval is the longest interval between reads while data arrives fast. With a longer
	// one, it could fill the receive buffer of the kernel and delay the server.
	busyReadInterval = 250 * time.Millisecond
)

// PaceReads sets how often frames are drawn. While data arrives, the session then reads once per frame, ReadLead
// before the frame, because waking up for each message costs an otherwise idle program more than handling the
// message. While data arrives fast, it reads at least every busyReadInterval. On Linux, the kernel does not even
// report a little data before the next read. If interval is 0, the session reads data as soon as it arrives.
func (c *Conn) PaceReads(interval time.Duration) {
	if before := c.frameInterval.Swap(int64(interval)); before == 0 || interval > 0 {
		return
	}
	select {
	case c.endPause <- struct{}{}:
	default: // the next pause will end at once
	}
}

// pauseReading waits until the next read may start. received is the number of bytes that have arrived
// since the last pause. After a failed write it does not wait, because the reader then has little time
// to find the server's close frame.
func (c *Conn) pauseReading(received int64) {
	interval := time.Duration(c.frameInterval.Load())
	if interval == 0 || c.writeErr.Load() != nil {
		return
	}
	if c.opts.OnPause != nil {
		c.opts.OnPause()
	}
	if received > readBufferSize {
		interval = min(interval, busyReadInterval)
	}
	setLowWaterMark(c.rawConn, readBufferSize)
	defer setLowWaterMark(c.rawConn, 1)
	t := time.NewTimer(powersave.UntilDue(time.Now(), interval, -ReadLead))
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.endPause:
	case <-c.ctx.Done():
	}
}

// nextFrame reads one message into *buf, which grows as needed, and returns the message.
func (c *Conn) nextFrame(buf *[]byte) ([]byte, error) {
	_, r, err := c.ws.NextReader()
	if err != nil {
		return nil, err
	}
	b := (*buf)[:0]
	for {
		c.markAlive() // each read is a sign of life: a large message may take long on a slow link
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err != nil {
			*buf = b
			if errors.Is(err, io.EOF) {
				return b, nil
			}
			return nil, err
		}
		// The library's limit applies only to the compressed size, and a server may compress
		// without having negotiated it.
		if int64(len(b)) > c.opts.ReadLimit {
			return nil, ErrTooBig
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, min(len(b), max(maxKeptBufferSize, len(b)/2))) // append would grow it by only a quarter
		}
	}
}

// handleFrame handles one message. acked is true if the server had accepted the session before this
// message. The result is true if the server has accepted the session by now.
func (c *Conn) handleFrame(b []byte, acked bool) bool {
	f, reason := parseFrame(b)
	if reason != "" {
		c.reportBadFrame(reason, b, true)
		return acked
	}
	switch string(f.typ) {
	case "next", "data":
		c.onResult(&f, b)
	case "error":
		switch {
		case !acked: // before connection_ack no operation is open: the server refuses the session
			c.endRefusedSession(f.payload)
		case f.id == nil:
			c.reportBadFrame("error without an id", b, true)
		default:
			c.onError(&f)
		}
	case "complete":
		c.onComplete(&f, b)
	case "ping":
		c.sendPong(f.payload)
	case "pong":
		c.liveness.recordPong(c)
	case "ka":
		c.liveness.recordKeepAlive(c)
	case "connection_ack":
		if acked {
			c.reportBadFrame("second connection_ack", b, false)
			break
		}
		close(c.acked)
		return true
	case "connection_error":
		if acked { // legacy servers answer unknown messages with connection_error
			c.reportBadFrame("connection_error after the acknowledgement", b, false)
			break
		}
		c.endRefusedSession(f.payload)
	default:
		c.reportBadFrame("unknown message type", b, false)
	}
	return acked
}

// onResult delivers a result. Many servers refuse an operation with a result that has errors and no
// data. Such a result ends the operation here, because a later complete message would hide the
// error.
func (c *Conn) onResult(f *messageParts, b []byte) {
	o, ok := c.lookupOperation(f.id)
	switch {
	case f.id == nil:
		c.reportBadFrame("result without an id", b, true)
	case !ok:
		c.countStrayMessage(f.id)
	case o.isProbe:
		c.removeOperation(f.id)
	case !f.isResult:
		c.reportBadFrame("result is not an object", b, true)
	case !f.hasData && f.hasErrors:
		if _, ok := c.removeOperation(f.id); ok {
			c.sendStop(o.id)
			c.handler.Fail(o.id, ParseErrors(f.errors))
		}
	default:
		c.handler.Next(o.id, f.payload)
	}
}

func (c *Conn) onError(f *messageParts) {
	o, ok := c.removeOperation(f.id)
	switch {
	case !ok:
		c.countStrayMessage(f.id)
	case !o.isProbe:
		c.handler.Fail(o.id, ParseErrors(f.payload))
	}
}

func (c *Conn) onComplete(f *messageParts, b []byte) {
	if f.id == nil {
		c.reportBadFrame("complete without an id", b, true)
		return
	}
	o, ok := c.removeOperation(f.id)
	switch {
	case !ok:
		c.countStrayMessage(f.id)
	case !o.isProbe:
		c.handler.Complete(o.id)
	}
}

// countStrayMessage counts a message whose ID belongs to no open operation. Both sub-protocols allow such
// messages after an operation has ended.
func (c *Conn) countStrayMessage(id []byte) {
	if c.wasIssued(id) {
		c.stats.lateMessages.Add(1)
		return
	}
	c.stats.unknownIDs.Add(1)
}

func (c *Conn) reportBadFrame(reason string, b []byte, lost bool) {
	c.stats.badFrames.Add(1)
	c.handler.UnreadableFrame(reason, b, lost)
}

// endRefusedSession ends a session that the server refused. payload contains the server's error.
func (c *Conn) endRefusedSession(payload []byte) {
	first := ParseErrors(payload)[0]
	c.Abort(&AckError{Message: first.Message, Code: first.Code})
}

func (c *Conn) onPing(data string) error {
	c.markAlive()
	// The pong goes through the queue, because only the writer may write.
	_ = c.enqueue(message{kind: websocket.PongMessage, data: []byte(data)}) // an error has ended the session
	return nil
}

func (c *Conn) onPong(string) error {
	c.markAlive()
	c.liveness.recordPong(c)
	return nil
}

// endReason returns the reason for the end of the session. err is the read error. acked reports
// whether the server had accepted the session.
func (c *Conn) endReason(err error, acked bool) error {
	if errors.Is(err, websocket.ErrReadLimit) || errors.Is(err, ErrTooBig) {
		return ErrTooBig
	}
	closed := c.lostConnectionError(err)
	closed.Accepted = acked
	var frame *websocket.CloseError
	if errors.As(err, &frame) && frame.Code != closeAbnormal {
		closed.Code, closed.Reason, closed.Err = frame.Code, clipLine(frame.Text), nil
	}
	if !acked && classifyClose(closed) == ClassAuth {
		return &AckError{Message: closed.Reason, Err: closed}
	}
	return closed
}

// lostConnectionError returns the error of a session that ended without a close frame. err is the read error.
// If a write failed before, the write error is the cause, because the read error only follows from
// our own deadline.
func (c *Conn) lostConnectionError(err error) *CloseError {
	if w := c.writeErr.Load(); w != nil {
		err = *w
	}
	return &CloseError{
		Code:        closeAbnormal,
		Subprotocol: c.protocol.name,
		SincePing:   c.liveness.sincePing(time.Since(c.startedAt)),
		Err:         err,
	}
}
