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

// setAlgorithms sets the algorithms of a connection: those that the library supports, except
// algorithms with SHA-1 or MD5.
func setAlgorithms(c *ssh.Config) {
	all := ssh.SupportedAlgorithms()
	weak := func(name string) bool { return strings.Contains(name, "sha1") || strings.Contains(name, "md5") }
	c.KeyExchanges = slices.DeleteFunc(all.KeyExchanges, weak)
	c.Ciphers = slices.DeleteFunc(all.Ciphers, weak)
	c.MACs = slices.DeleteFunc(all.MACs, weak)
}

// acceptConn runs the server side of a handshake within a time limit; the peer's first line
// must arrive within banner. On failure it closes the connection and leaves no goroutines
// behind.
func acceptConn(conn net.Conn, config *ssh.ServerConfig, banner, all time.Duration) (*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request, error) {
	g := &handshakeGuard{Conn: conn, deadline: time.Now().Add(all), answered: make(chan struct{}), closed: make(chan struct{})}
	_ = conn.SetDeadline(time.Now().Add(banner)) // the library has no time limit
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
	if err := conn.SetDeadline(time.Time{}); err != nil { // the library has closed it already
		refuseChannels(c, channels, requests)
		return nil, nil, nil, err
	}
	return c, channels, requests, nil
}

// closeConn closes a connection and lets the goroutines of the library end.
func closeConn(c ssh.Conn) error {
	err := c.Close()
	drainIncoming(c)
	return err
}

// refuseChannels closes a connection without serving its channels and requests.
func refuseChannels(c ssh.Conn, channels <-chan ssh.NewChannel, requests <-chan *ssh.Request) {
	_ = closeConn(c)
	go ssh.DiscardRequests(requests)
	go func() {
		for range channels {
		}
	}()
}

// drainIncoming discards received packets that are no longer read. The connection is closed, so the
// library closes the channel.
func drainIncoming(conn any) {
	if packets := receivedPackets(conn); packets != nil {
		go func() {
			for range packets {
			}
		}()
	}
}

// receivedPackets returns the channel of a connection's received packets, or nil if the library has
// changed.
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
	return *(*chan []byte)(unsafe.Pointer(v.UnsafeAddr())) //nolint:gosec // there is no exported access
}

// handshakeState is the progress of a handshake, according to what the peer has sent.
type handshakeState int

const (
	announcing handshakeState = iota // the peer's first line
	exchanging                       // unencrypted packets, up to NEWKEYS
	requesting                       // the service request
)

// maxRequestBytes is the maximum number of bytes read from a peer between the key exchange and
// the answer to its service request: at most that request and the 16 packets of at least 28
// bytes that the library can hold. OpenSSH sends about 150 bytes.
const maxRequestBytes = 480

// newKeysMessage is the message number after which packets are encrypted.
const newKeysMessage = 21

// handshakeGuard tracks what a peer sends until its service request is answered.
type handshakeGuard struct {
	net.Conn
	deadline  time.Time     // deadline of the handshake
	answered  chan struct{} // closed when the service request is answered
	closed    chan struct{}
	closeOnce sync.Once

	state          handshakeState
	firstLine      []byte // first line, as far as received
	header         []byte // header of the current packet, as far as received
	remainingBytes uint32 // remaining bytes of that packet
	requestBytes   int    // bytes read after the key exchange
	excess         []byte // bytes read beyond maxRequestBytes
}

// Close implements [net.Conn].
func (g *handshakeGuard) Close() error {
	g.closeOnce.Do(func() { close(g.closed) })
	return g.Conn.Close()
}

// Read implements [net.Conn].
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
	if g.state == requesting {
		g.requestBytes += n
	}
	for i := 0; i < n && g.state < requesting; i++ {
		if g.advance(p[i]); g.state == requesting {
			g.requestBytes = n - i - 1
		}
	}
	if excess := g.requestBytes - maxRequestBytes; excess > 0 {
		g.excess = bytes.Clone(p[n-excess : n])
		n -= excess
	}
	return n, err
}

// waitAnswered waits for the answer to the service request and reports whether it was sent.
func (g *handshakeGuard) waitAnswered() bool {
	select {
	case <-g.answered: // always ready after the handshake
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

// packetHeaderBytes is the size of a packet's header: its length, padding length and type.
const packetHeaderBytes = 6

// advance advances the state by a byte that was received before encryption starts.
func (g *handshakeGuard) advance(b byte) {
	if g.state == announcing {
		if b != '\n' {
			g.firstLine = append(g.firstLine, b)
			return
		}
		if bytes.HasPrefix(g.firstLine, []byte("SSH-")) {
			g.state = exchanging
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
		g.state = requesting
	}
	g.header = g.header[:0]
}
