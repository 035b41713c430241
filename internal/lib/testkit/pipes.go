package testkit

import (
	"context"
	"net"
	"sync"
)

// PipeListener is an in-memory [net.Listener] that does not use the operating system. Clients connect
// to it by calling [PipeListener.Dial]. With a fake clock (testing/synctest), a test can run a
// server and its clients for days within seconds.
type PipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	close func()
}

// NewPipeListener returns a listener that waits for the first connection.
func NewPipeListener() *PipeListener {
	done := make(chan struct{})
	return &PipeListener{make(chan net.Conn), done, sync.OnceFunc(func() { close(done) })}
}

// Accept implements [net.Listener].
func (p *PipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (p *PipeListener) Close() error {
	p.close()
	return nil
}

// Addr implements [net.Listener].
func (p *PipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// Dial opens a connection to the listener and waits until the server accepts it. It has the signature
// of [http.Transport.DialContext] and ignores the address.
func (p *PipeListener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
