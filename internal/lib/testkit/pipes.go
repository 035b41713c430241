package testkit

import (
	"context"
	"net"
)

// PipeListener is an in-memory [net.Listener]. Clients connect to it by calling [PipeListener.Dial].
type PipeListener struct {
	conns chan net.Conn
	done  chan struct{}
}

// NewPipeListener returns a listener that waits for the first connection.
func NewPipeListener() *PipeListener { return &PipeListener{make(chan net.Conn), make(chan struct{})} }

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
	select {
	case <-p.done:
	default:
		close(p.done)
	}
	return nil
}

// Addr implements [net.Listener].
func (p *PipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// Dial opens a connection to the listener. It has the signature of
// [http.Transport.DialContext] and ignores the address.
func (p *PipeListener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
