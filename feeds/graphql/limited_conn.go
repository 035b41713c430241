package graphql

import (
	"crypto/tls"
	"math"
	"net"
	"net/http/httptrace"
)

// Limits on the bytes that a peer may send before it is known to be a GraphQL service, one for each
// step of opening the session.
const (
	maxUpgradeBytes = 64 << 10  // answer to CONNECT, or answer to the upgrade
	maxTLSBytes     = 512 << 10 // TLS handshake: certificate chains can be long
)

// limitedConn is a network connection that limits how many bytes can be read until removeLimit is
// called. Before that, it must not be used concurrently.
type limitedConn struct {
	net.Conn

	remaining int64 // bytes that may still be read; math.MaxInt64: no limit
	drained   bool  // the last read returned everything that had arrived
	received  int64 // bytes read since the last call of pause
	// pause is called before a read that follows one that drained the connection; nil: none.
	pause func(received int64)
}

// Read implements [net.Conn].
func (c *limitedConn) Read(p []byte) (int, error) {
	if c.remaining <= 0 {
		return 0, ErrHandshakeTooLong
	}
	if c.drained && c.pause != nil {
		c.pause(c.received)
		c.received = 0
	}
	p = p[:min(int64(len(p)), c.remaining)]
	n, err := c.Conn.Read(p)
	c.drained = n < len(p)
	c.received += int64(n)
	if c.remaining != math.MaxInt64 {
		c.remaining -= int64(n)
	}
	return n, err
}

// setLimit sets how many bytes may be read from now on. On a nil connection it does nothing.
func (c *limitedConn) setLimit(n int64) {
	if c != nil {
		c.remaining = n
	}
}

// removeLimit removes the limit. From then on, Options.ReadLimit limits each message.
func (c *limitedConn) removeLimit() { c.setLimit(math.MaxInt64) }

// traceLimits returns a trace that sets the limit for each step of opening the session. If the TLS
// handshake fails, the trace stores the error in failed.
func (d *networkDialer) traceLimits(failed *error) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		TLSHandshakeStart: func() { d.conn.setLimit(maxTLSBytes) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			*failed = err
			d.conn.setLimit(maxUpgradeBytes)
		},
	}
}
