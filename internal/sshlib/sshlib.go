// Package sshlib keeps the SSH library within bounds: algorithms without SHA-1, and
// connections of which nothing is left when they end.
//
// A packet that the library rejects, followed by more packets than its channel has room
// for, leaves its goroutines blocked for ever (golang.org/x/crypto v0.58.0): readLoop in a
// send to a channel that nobody reads any more, and everybody else waiting for readLoop.
// After a login, and during the authentication, [Close] and [Accept] read that channel.
// Before, where it cannot be reached, Accept reads too few bytes for it to fill.
package sshlib

import (
	"bytes"
	"encoding/binary"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/crypto/ssh"
)

// Modern sets the algorithms of a connection: those that the library supports, without
// SHA-1 and MD5.
func Modern(c *ssh.Config) {
	all := ssh.SupportedAlgorithms()
	weak := func(name string) bool { return strings.Contains(name, "sha1") || strings.Contains(name, "md5") }
	c.KeyExchanges = slices.DeleteFunc(all.KeyExchanges, weak)
	c.Ciphers = slices.DeleteFunc(all.Ciphers, weak)
	c.MACs = slices.DeleteFunc(all.MACs, weak)
}

// Accept runs the handshake of a server within a time, of which the peer has banner for
// its first line. If it fails, the connection is closed and nothing is left of it.
func Accept(conn net.Conn, config *ssh.ServerConfig, banner, all time.Duration) (*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request, error) {
	g := &guard{Conn: conn, end: time.Now().Add(all), answered: make(chan struct{}), closed: make(chan struct{})}
	_ = conn.SetDeadline(time.Now().Add(banner)) // the library has none
	own := *config
	var early ssh.ServerPreAuthConn
	own.PreAuthConnCallback = func(c ssh.ServerPreAuthConn) { early = c; close(g.answered) }
	c, channels, requests, err := ssh.NewServerConn(g, &own)
	if err != nil {
		_ = g.Close()
		if early != nil {
			drain(early)
		}
		return nil, nil, nil, err //nolint:wrapcheck // it is the library's
	}
	return c, channels, requests, conn.SetDeadline(time.Time{}) //nolint:wrapcheck // it is the connection's
}

// Close closes a connection, and lets go of the goroutines of the library.
func Close(c ssh.Conn) error {
	err := c.Close()
	drain(c)
	return err //nolint:wrapcheck // it is the library's
}

// drain reads what the library has received and nobody reads. The connection is closed,
// so the library closes the channel.
func drain(conn any) {
	if packets := incoming(conn); packets != nil {
		go func() {
			for range packets {
			}
		}()
	}
}

// incoming returns the channel of received packets of a connection, nil if the library
// has another form.
func incoming(conn any) <-chan []byte {
	v := reflect.ValueOf(conn)
	if s, is := conn.(*ssh.ServerConn); is {
		v = reflect.ValueOf(s.Conn)
	}
	for _, name := range []string{"", "transport", "incoming"} {
		if name != "" {
			if v.Kind() != reflect.Struct {
				return nil
			}
			v = v.FieldByName(name)
		}
		for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
	}
	if !v.IsValid() || v.Type() != reflect.TypeFor[chan []byte]() || !v.CanAddr() {
		return nil
	}
	return *(*chan []byte)(unsafe.Pointer(v.UnsafeAddr())) //nolint:gosec // there is no exported way
}

// state is how far a handshake is, by what the peer has sent.
type state int

const (
	announcing state = iota // its first line
	exchanging              // packets that anybody can read, up to its NEWKEYS
	requesting              // the service request
)

// mostRequest is how much is read of a peer between the exchange of keys and the answer to
// its service request: no more packets, of at least 28 bytes each, than that request and
// the 16 that the library has room for. OpenSSH sends some 150 bytes.
const mostRequest = 480

// newKeys is the number of the message after which packets are encrypted.
const newKeys = 21

// guard follows what a peer sends up to the answer to its service request.
type guard struct {
	net.Conn
	end      time.Time     // of the handshake
	answered chan struct{} // closed when the service request is
	closed   chan struct{}
	once     sync.Once

	state state
	line  []byte // of the peer, as far as it was read
	head  []byte // of a packet, as far as it was read
	rest  uint32 // of that packet
	read  int    // after the exchange of keys
	held  []byte // what was read beyond mostRequest
}

// Close implements [net.Conn].
func (g *guard) Close() error {
	g.once.Do(func() { close(g.closed) })
	return g.Conn.Close() //nolint:wrapcheck // it is the connection's
}

// Read implements [net.Conn].
func (g *guard) Read(p []byte) (int, error) {
	if g.read >= mostRequest && !g.wait() {
		return 0, net.ErrClosed
	}
	if len(g.held) > 0 {
		n := copy(p, g.held)
		g.held = g.held[n:]
		return n, nil
	}
	n, err := g.Conn.Read(p)
	if g.read >= mostRequest {
		return n, err //nolint:wrapcheck // it is the connection's
	}
	if g.state == requesting {
		g.read += n
	}
	for i := 0; i < n && g.state < requesting; i++ {
		if g.follow(p[i]); g.state == requesting {
			g.read = n - i - 1
		}
	}
	if over := g.read - mostRequest; over > 0 {
		g.held = bytes.Clone(p[n-over : n])
		n -= over
	}
	return n, err //nolint:wrapcheck // it is the connection's
}

// wait waits for the answer to the service request. It reports whether there is one.
func (g *guard) wait() bool {
	select {
	case <-g.answered: // as it is after the handshake, for good
		return true
	default:
	}
	late := time.NewTimer(time.Until(g.end))
	defer late.Stop()
	select {
	case <-g.answered:
		return true
	case <-g.closed:
	case <-late.C:
	}
	return false
}

// headLength is the length of what tells a packet apart: its length, its padding, its type.
const headLength = 6

// follow takes a byte that nobody has encrypted.
func (g *guard) follow(b byte) {
	if g.state == announcing {
		if b != '\n' {
			g.line = append(g.line, b)
			return
		}
		if bytes.HasPrefix(g.line, []byte("SSH-")) {
			g.state = exchanging
			_ = g.SetDeadline(g.end)
		}
		g.line = g.line[:0]
		return
	}
	if len(g.head) < headLength {
		if g.head = append(g.head, b); len(g.head) == headLength {
			g.rest = max(binary.BigEndian.Uint32(g.head), 2) - 2
		}
	} else {
		g.rest--
	}
	if len(g.head) < headLength || g.rest > 0 {
		return
	}
	if g.head[headLength-1] == newKeys {
		g.state = requesting
	}
	g.head = g.head[:0]
}
