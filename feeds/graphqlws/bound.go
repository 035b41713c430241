package graphqlws

import (
	"crypto/tls"
	"math"
	"net"
	"net/http/httptrace"
)

// What a peer may send before it is known to be a GraphQL service, in bytes. It
// has as much again after each step.
const (
	maxUpgrade   = 64 << 10  // an answer to CONNECT, or to the upgrade
	maxHandshake = 512 << 10 // of TLS: long chains of certificates
)

// bounded is a network connection on which only so much may come until it is
// freed. One goroutine at a time uses it until then.
type bounded struct {
	net.Conn

	left int64
}

// Read implements [net.Conn].
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, ErrLongAnswer
	}
	n, err := b.Conn.Read(p[:min(int64(len(p)), b.left)])
	if b.left != math.MaxInt64 {
		b.left -= int64(n)
	}
	return n, err //nolint:wrapcheck // the connection's own
}

// allow sets how much may come from now on. There may be no connection yet.
func (b *bounded) allow(n int64) {
	if b != nil {
		b.left = n
	}
}

// free lifts the bound: from here on Options.ReadLimit bounds every message.
func (b *bounded) free() { b.allow(math.MaxInt64) }

// steps has a connection allow as much as each step of an opening needs. failed
// takes the error of the TLS handshake.
func (l *link) steps(failed *error) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		TLSHandshakeStart: func() { l.conn.allow(maxHandshake) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			*failed = err
			l.conn.allow(maxUpgrade)
		},
	}
}
