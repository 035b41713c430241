package sshterminal

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

// setAlgorithms sets the key exchanges, ciphers and MACs of a connection to those that the
// library supports, except those with SHA-1 or MD5.
func setAlgorithms(c *ssh.Config) {
	all := ssh.SupportedAlgorithms()
	weak := func(name string) bool { return strings.Contains(name, "sha1") || strings.Contains(name, "md5") }
	c.KeyExchanges = slices.DeleteFunc(all.KeyExchanges, weak)
	c.Ciphers = slices.DeleteFunc(all.Ciphers, weak)
	c.MACs = slices.DeleteFunc(all.MACs, weak)
}

// acceptConn runs the server side of a handshake. The first line from the client must arrive
// within banner, and the handshake must end within all. After an error, acceptConn closes the
// connection and leaves no goroutines behind.
func acceptConn(conn net.Conn, config *ssh.ServerConfig, banner, all time.Duration) (*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request, error) {
	g := &handshakeGuard{Conn: conn, deadline: time.Now().Add(all), answered: make(chan struct{}), closed: make(chan struct{})}
	_ = conn.SetDeadline(time.Now().Add(banner)) // NewServerConn has no time limit
	configCopy := *config
	var preAuth ssh.ServerPreAuthConn
	configCopy.PreAuthConnCallback = func(c ssh.ServerPreAuthConn) { preAuth = c; close(g.answered) }
	c, channels, requests, err := ssh.NewServerConn(g, &configCopy)
	if err != nil {
		_ = g.Close()
		if preAuth != nil {
			drainIncoming(preAuth)
		}
		return nil, nil, nil, err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil { // the library has already closed the connection
		refuseChannels(c, channels, requests)
		return nil, nil, nil, err
	}
	return c, channels, requests, nil
}

// closeConn closes a connection and makes sure that the library's goroutines for it end.
func closeConn(c ssh.Conn) error {
	err := c.Close()
	drainIncoming(c)
	return err
}

// refuseChannels closes a connection. It receives and drops the connection's channels and
// requests, because the library would otherwise block.
func refuseChannels(c ssh.Conn, channels <-chan ssh.NewChannel, requests <-chan *ssh.Request) {
	_ = closeConn(c)
	go ssh.DiscardRequests(requests)
	go func() {
		for range channels {
		}
	}()
}

// drainIncoming discards the received packets of a closed connection in a goroutine, until the
// library closes the channel of these packets.
func drainIncoming(conn any) {
	if packets := receivedPackets(conn); packets != nil {
		go func() {
			for range packets {
			}
		}()
	}
}

// receivedPackets returns the unexported channel of a connection's received packets, or nil if
// this version of the library has no such channel.
func receivedPackets(conn any) <-chan []byte {
	v := reflect.ValueOf(conn)
	if s, isServer := conn.(*ssh.ServerConn); isServer {
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
	return *(*chan []byte)(unsafe.Pointer(v.UnsafeAddr())) //nolint:gosec // the field is not exported
}

// handshakeState is the phase of a handshake, derived from the bytes that the peer has sent.
type handshakeState int

const (
	handshakeVersion        handshakeState = iota // the peer sends its first line
	handshakeKeyExchange                          // the peer sends unencrypted packets, up to NEWKEYS
	handshakeServiceRequest                       // the peer sends its service request
)

// maxRequestBytes is the maximum number of bytes read after the key exchange, until the
// service request of the peer is answered. A packet has at least 28 bytes, so these bytes
// contain at most the request and 16 packets, which fit into the channel of the library.
// OpenSSH sends about 150 bytes.
const maxRequestBytes = 480

// newKeysMessage is the number of the message NEWKEYS, after which packets are encrypted.
const newKeysMessage = 21

// handshakeGuard limits the number of bytes that the library reads from a peer before the
// peer's service request is answered.
type handshakeGuard struct {
	net.Conn
	deadline  time.Time     // end of the time for the handshake
	answered  chan struct{} // closed when the service request was answered
	closed    chan struct{}
	closeOnce sync.Once

	state          handshakeState
	firstLine      []byte // received part of the peer's first line
	header         []byte // received part of the current packet's header
	remainingBytes uint32 // bytes of the current packet that are still to come
	requestBytes   int    // bytes read after the key exchange
	excess         []byte // bytes read beyond maxRequestBytes, which are returned later
}

// Close implements [net.Conn].
func (g *handshakeGuard) Close() error {
	g.closeOnce.Do(func() { close(g.closed) })
	return g.Conn.Close()
}

// Read implements [net.Conn]. It returns at most maxRequestBytes bytes after the key exchange,
// and then blocks until the service request is answered.
func (g *handshakeGuard) Read(p []byte) (int, error) {
	if g.requestBytes >= maxRequestBytes && !g.waitAnswered() {
		return 0, net.ErrClosed
	}
	if len(g.excess) > 0 {
		n := copy(p, g.excess)
		g.excess = g.excess[n:]
		return n, nil
	}
	n, err := g.Conn.Read(p)
	if g.requestBytes >= maxRequestBytes {
		return n, err
	}
	if g.state == handshakeServiceRequest {
		g.requestBytes += n
	}
	for i := 0; i < n && g.state < handshakeServiceRequest; i++ {
		if g.advance(p[i]); g.state == handshakeServiceRequest {
			g.requestBytes = n - i - 1
		}
	}
	if excess := g.requestBytes - maxRequestBytes; excess > 0 {
		g.excess = bytes.Clone(p[n-excess : n])
		n -= excess
	}
	return n, err
}

// waitAnswered waits until the service request is answered. It returns false if the connection
// is closed or the deadline passes first.
func (g *handshakeGuard) waitAnswered() bool {
	select {
	case <-g.answered: // always the case after the handshake
		return true
	default:
	}
	timer := time.NewTimer(time.Until(g.deadline))
	defer timer.Stop()
	select {
	case <-g.answered:
		return true
	case <-g.closed:
	case <-timer.C:
	}
	return false
}

// packetHeaderBytes is the total size of a packet's length, its padding length and its message
// number.
const packetHeaderBytes = 6

// advance updates the state for the next byte b, received before encryption starts.
func (g *handshakeGuard) advance(b byte) {
	if g.state == handshakeVersion {
		if b != '\n' {
			g.firstLine = append(g.firstLine, b)
			return
		}
		if bytes.HasPrefix(g.firstLine, []byte("SSH-")) {
			g.state = handshakeKeyExchange
			_ = g.SetDeadline(g.deadline)
		}
		g.firstLine = g.firstLine[:0]
		return
	}
	if len(g.header) < packetHeaderBytes {
		if g.header = append(g.header, b); len(g.header) == packetHeaderBytes {
			g.remainingBytes = max(binary.BigEndian.Uint32(g.header), 2) - 2
		}
	} else {
		g.remainingBytes--
	}
	if len(g.header) < packetHeaderBytes || g.remainingBytes > 0 {
		return
	}
	if g.header[packetHeaderBytes-1] == newKeysMessage {
		g.state = handshakeServiceRequest
	}
	g.header = g.header[:0]
}
