//go:build !nonatsserver

package cluster

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"reflect"
	"strings"
	"sync"
	"time"
	"unsafe" // used by createRoute and serverField

	"github.com/nats-io/nats-server/v2/server"

	"wallboard/internal/lib/netconn"
)

// Limits on incoming connections without a verified certificate.
const (
	maxPendingPerAddress  = 8
	maxPendingRoutes      = 64
	routeHandshakeTimeout = 5 * time.Second
	acceptPause           = 100 * time.Millisecond // pause after an error, such as too many open files
)

// createRoute makes the server use conn, a connection that another node opened, as a route. It does
// the TLS handshake, and returns nil if the handshake fails. The server itself calls it for each
// connection that it accepts, and has no hook to limit these connections. TestServerInternals
// checks the signature.
//
//go:linkname createRoute github.com/nats-io/nats-server/v2/server.(*Server).createRoute
func createRoute(s *server.Server, conn net.Conn, to *uintptr, kind server.RouteType, gossip byte, account string) unsafe.Pointer

// serverField returns a pointer to an unexported field of a server. It returns an error if the
// server has no field of this name and type.
func serverField[T any](s *server.Server, name string) (*T, error) {
	f := reflect.ValueOf(s).Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		return nil, fmt.Errorf("cluster: this version of the NATS server has no field %s of type %s", name, reflect.TypeFor[T]())
	}
	return (*T)(unsafe.Pointer(f.UnsafeAddr())), nil //nolint:gosec // the type was checked above
}

// idleListener is a listener without a port. Its Accept blocks and returns no connection. A
// server that has a client listener before it is started does not open another one.
type idleListener struct {
	closeOnce sync.Once
	closed    chan struct{}
}

// refuseClients prevents a server from listening for clients. It must be called before the
// server is started.
func refuseClients(s *server.Server) error {
	l, err := serverField[net.Listener](s, "listener")
	if err != nil {
		return err
	}
	*l = &idleListener{closed: make(chan struct{})}
	return nil
}

// Accept implements [net.Listener]. It blocks until the listener is closed.
func (l *idleListener) Accept() (net.Conn, error) {
	<-l.closed
	return nil, net.ErrClosed
}

// Close implements [net.Listener].
func (l *idleListener) Close() error {
	l.closeOnce.Do(func() { close(l.closed) })
	return nil
}

// Addr implements [net.Listener]. It returns a [*net.TCPAddr], because the server requires
// this type.
func (l *idleListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// routePort accepts the connections of other nodes in place of the server, because the server
// does not limit the number of connections before TLS. It has a goroutine that accepts
// connections, and one for each pending connection.
type routePort struct {
	server     *server.Server
	listener   net.Listener
	pending    *netconn.Limiter
	log        *slog.Logger
	closed     chan struct{}
	goroutines sync.WaitGroup

	mu    sync.Mutex
	conns map[string]net.Conn // pending connections by remote address; nil after close
}

// takeOverRoutePort takes over the port for other nodes from a running server. The server keeps its
// listener with an expired deadline, which makes its Accept fail. The server then retries once a
// second; with a closed listener it would retry without a pause. takeOverRoutePort waits until a
// value is sent to acceptFailed, because an Accept that was already running could still succeed.
func takeOverRoutePort(s *server.Server, acceptFailed <-chan struct{}, log *slog.Logger) (*routePort, error) {
	field, err := serverField[net.Listener](s, "routeListener")
	if err != nil {
		return nil, err
	}
	serverListener, ok := (*field).(*net.TCPListener)
	if !ok {
		return nil, fmt.Errorf("cluster: the listener of the NATS server is a %T", *field)
	}
	file, err := serverListener.File() // a copy of the listener; not supported on Windows
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	ownListener, err := net.FileListener(file)
	_ = file.Close()
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	if err := serverListener.SetDeadline(time.Unix(1, 0)); err != nil {
		_ = ownListener.Close()
		return nil, fmt.Errorf("cluster: %w", err)
	}
	select {
	case <-acceptFailed:
	case <-time.After(startTimeout):
		_ = ownListener.Close()
		_ = serverListener.SetDeadline(time.Time{})
		return nil, errors.New("cluster: the NATS server did not release its port")
	}
	p := &routePort{
		server: s, listener: ownListener, pending: netconn.NewLimiter(maxPendingPerAddress, maxPendingRoutes), log: log,
		closed: make(chan struct{}), conns: make(map[string]net.Conn),
	}
	p.goroutines.Go(p.accept)
	return p, nil
}

func (p *routePort) accept() {
	for {
		conn, err := p.listener.Accept()
		switch {
		case err == nil:
			p.goroutines.Go(func() { p.handshake(conn) })
		case errors.Is(err, net.ErrClosed):
			return
		default:
			p.log.Debug("cluster connection not accepted", "error", err)
			select {
			case <-time.After(acceptPause):
			case <-p.closed:
				return
			}
		}
	}
}

// handshake turns a connection into a route of the server. It closes the connection if too
// many are pending, or if the peer shows no valid certificate in time.
func (p *routePort) handshake(conn net.Conn) {
	address := conn.RemoteAddr().String()
	done, ok := p.pending.Add(conn, address)
	if !ok || !p.addPending(address, conn) {
		_ = conn.Close()
		if ok {
			done()
		}
		return
	}
	closeTimer := time.AfterFunc(routeHandshakeTimeout, func() { _ = conn.Close() })
	createRoute(p.server, conn, nil, server.Implicit, 0, "")
	closeTimer.Stop()
	p.mu.Lock()
	delete(p.conns, address)
	p.mu.Unlock()
	done()
}

// addPending registers a pending connection. It returns false if the port is closed.
func (p *routePort) addPending(address string, conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns == nil {
		return false
	}
	p.conns[address] = conn
	return true
}

// isAboutPendingConn reports whether a log message of the server begins with the remote
// address of a pending connection.
func (p *routePort) isAboutPendingConn(text string) bool {
	address, _, ok := strings.Cut(text, " - ")
	if !ok {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok = p.conns[address]
	return ok
}

// close closes the port and the pending connections, and waits for the goroutines.
func (p *routePort) close() {
	close(p.closed)
	_ = p.listener.Close()
	p.mu.Lock()
	conns := p.conns
	p.conns = nil
	p.mu.Unlock()
	for _, conn := range conns {
		_ = conn.Close()
	}
	p.goroutines.Wait()
}
