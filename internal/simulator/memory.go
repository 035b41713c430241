package simulator

import (
	"context"
	"net"
	"sync"
)

// MemoryNetwork is an in-memory network that does not use the operating system. It is a
// listener for [Options.Listener], and dials connections to this listener. With a fake clock
// (testing/synctest), a test can run a platform and its clients for days within seconds.
type MemoryNetwork struct {
	conns     chan net.Conn
	done      chan struct{}
	closeOnce sync.Once
}

// NewMemoryNetwork returns a network without connections. A dial waits until the server accepts
// the connection.
func NewMemoryNetwork() *MemoryNetwork {
	return &MemoryNetwork{conns: make(chan net.Conn), done: make(chan struct{})}
}

// DialContext connects to the listener. It ignores the network and the address.
func (m *MemoryNetwork) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case m.conns <- server:
		return client, nil
	case <-m.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements [net.Listener].
func (m *MemoryNetwork) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (m *MemoryNetwork) Close() error {
	m.closeOnce.Do(func() { close(m.done) })
	return nil
}

// Addr implements [net.Listener].
func (m *MemoryNetwork) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
