package graphql

import (
	"errors"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// writeTimeout limits the time for one write. A link that accepts no data for that long is
	// dead.
	writeTimeout = 10 * time.Second
	// closeFrameWait is how long the reader may look for the server's close frame after a failed
	// write. The frame, which contains the server's reason, is often already in the receive buffer.
	closeFrameWait = 250 * time.Millisecond
)

// message is an entry of the send queue: a WebSocket message that waits for the writer.
type message struct {
	kind int // websocket.TextMessage, PingMessage or PongMessage
	data []byte
}

// textMessage returns a message of the sub-protocol with a JSON payload. It omits an empty ID and a
// nil payload.
func textMessage(id, typ string, payload []byte) message {
	data := make([]byte, 0, len(id)+len(typ)+len(payload)+40)
	data = append(data, '{')
	if id != "" {
		data = append(data, `"id":"`...)
		data = append(data, id...) // IDs consist of digits and a prefix: nothing to escape
		data = append(data, `",`...)
	}
	data = append(data, `"type":"`...)
	data = append(data, typ...)
	data = append(data, '"')
	if payload != nil {
		data = append(data, `,"payload":`...)
		data = append(data, payload...)
	}
	data = append(data, '}')
	return message{kind: websocket.TextMessage, data: data}
}

// enqueue adds a message to the send queue without blocking. If the queue is full, the link is too
// slow: enqueue ends the session and returns an error.
func (c *Conn) enqueue(m message) error {
	select {
	case c.sendQueue <- m:
		return nil
	default:
		c.Abort(ErrQueueFull)
		return ErrQueueFull
	}
}

// runWriter is the writer goroutine. It sends the messages of the queue and, at the end of the
// session, the close frame.
func (c *Conn) runWriter() {
	defer c.goroutineDone()
	defer func() { _ = c.rawConn.Close() }() // unblocks the reader; the session's error is already known
	defer c.recoverPanic()
	defer close(c.writerDone)
	for {
		select {
		case <-c.ctx.Done():
			c.closeOrderly()
			return
		case m := <-c.sendQueue:
			if !c.writeMessage(m, writeTimeout) {
				<-c.ctx.Done() // the reader ends the session with a better reason than the failed write
			}
		}
	}
}

// writeMessage writes one message. After a failed write, it returns false and gives the reader
// closeFrameWait to find the server's close frame.
func (c *Conn) writeMessage(m message, timeout time.Duration) bool {
	deadline := time.Now().Add(timeout)
	var err error
	if m.kind == websocket.TextMessage {
		if err = c.ws.SetWriteDeadline(deadline); err == nil {
			err = c.ws.WriteMessage(m.kind, m.data)
		}
	} else {
		err = c.ws.WriteControl(m.kind, m.data, deadline)
	}
	if err == nil {
		return true
	}
	c.writeErr.Store(&err)
	// Setting the deadline fails only on a closed link, and the reader then returns anyway.
	_ = c.rawConn.SetReadDeadline(time.Now().Add(closeFrameWait))
	return false
}

// closeOrderly sends a close frame unless the link is known to be broken. It does not wait for an
// answer.
func (c *Conn) closeOrderly() {
	cause := c.Err()
	if lost := new(CloseError); errors.As(cause, &lost) && lost.Code == closeAbnormal ||
		errors.Is(cause, ErrDeadLink) || c.writeErr.Load() != nil {
		return
	}
	if c.protocol.terminateType != "" && errors.Is(cause, ErrClosed) {
		if !c.writeMessage(textMessage("", c.protocol.terminateType, nil), closeTimeout) {
			return
		}
	}
	c.writeMessage(message{kind: websocket.CloseMessage, data: closeFrame(cause)}, closeTimeout)
}

// closeFrame returns the body of the close frame to send: the server's own code if it closed the
// session, otherwise a code for the reason.
func closeFrame(cause error) []byte {
	var closed *CloseError
	switch {
	case errors.As(cause, &closed):
		return websocket.FormatCloseMessage(closed.Code, "") // empty for codes that must not be sent
	case errors.Is(cause, ErrAckTimeout):
		return websocket.FormatCloseMessage(4504, "connection acknowledgement timeout")
	case errors.Is(cause, ErrTooBig):
		return websocket.FormatCloseMessage(websocket.CloseMessageTooBig, "")
	}
	return websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
}

// sendPong answers a ping of the sub-protocol with the same payload, or without one if it is too
// long.
func (c *Conn) sendPong(payload []byte) {
	const most = 4 << 10 // in bytes; limits the memory for the echo
	if len(payload) > most {
		payload = nil
	}
	_ = c.enqueue(textMessage("", "pong", payload)) // an error has ended the session
}
