package simulator

import (
	"net"
	"sync"
	"time"
)

// faultListener wraps accepted connections in a faultConn.
type faultListener struct {
	net.Listener

	faults *Faults
}

// Accept waits for a connection. It resets new connections while [Faults.Reset] is
// on.
func (l faultListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn := &faultConn{Conn: c, faults: l.faults, closed: make(chan struct{})}
		if !l.faults.isResetting() {
			return conn, nil
		}
		conn.Abort()
	}
}

// faultConn delays writes: it blocks them during a stall, and splits and slows them
// down for slow writes. Close interrupts a blocked write.
type faultConn struct {
	net.Conn

	faults    *Faults
	closeOnce sync.Once
	closed    chan struct{}
}

// Write writes b, in pieces if slow writes are on.
func (c *faultConn) Write(b []byte) (int, error) {
	written := 0
	for {
		stall, bytes, pause := c.faults.writeLimits()
		if stall != nil && !c.waitFor(stall) {
			return written, net.ErrClosed
		}
		piece := b[written:]
		if bytes > 0 && len(piece) > bytes {
			piece = piece[:bytes]
		}
		n, err := c.Conn.Write(piece)
		written += n
		if err != nil || written == len(b) {
			return written, err
		}
		if !c.sleep(pause) {
			return written, net.ErrClosed
		}
	}
}

// waitFor returns true when done is closed, or false when the connection is closed.
func (c *faultConn) waitFor(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-c.closed:
		return false
	}
}

func (c *faultConn) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.closed:
		return false
	}
}

// Close closes the connection.
func (c *faultConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Abort closes the connection at once, on TCP with a reset.
func (c *faultConn) Abort() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // on failure the connection closes normally
	}
	_ = c.Close() // the peer gets no answer in any case
}
