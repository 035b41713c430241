package simulator

import (
	"net"
	"sync"
	"time"
)

// faultListener is a listener whose connections can be disturbed by [Faults].
type faultListener struct {
	net.Listener

	faults *Faults
}

// Accept implements [net.Listener]. While [Faults.ResetConnections] is on, it resets new connections and
// waits for the next one.
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

// faultConn is a connection whose writes can be disturbed. A write waits while the server is
// stalled, and is split and delayed if slow writes are on. Close interrupts a waiting write.
type faultConn struct {
	net.Conn

	faults    *Faults
	closeOnce sync.Once
	closed    chan struct{}
}

// Write writes b, in pieces while slow writes are on.
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

// waitFor waits until done is closed and returns true. If the connection is closed first, it
// returns false.
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

// Close closes the connection and interrupts a waiting write.
func (c *faultConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Abort closes the connection at once. A TCP connection is reset.
func (c *faultConn) Abort() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // if this fails, the connection closes normally
	}
	_ = c.Close() // an error does not matter, because the connection is no longer used
}
