package headless

import (
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
)

// mostScrapers is how many connections metrics are served on at a time; others
// wait.
const mostScrapers = 16

// gate is a listener that has so many connections at a time.
type gate struct {
	net.Listener
	room   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newGate(l net.Listener) *gate {
	return &gate{Listener: l, room: make(chan struct{}, mostScrapers), closed: make(chan struct{})}
}

// Accept implements [net.Listener].
func (g *gate) Accept() (net.Conn, error) {
	select {
	case g.room <- struct{}{}:
	case <-g.closed:
		return nil, net.ErrClosed
	}
	c, err := g.Listener.Accept()
	if err != nil {
		<-g.room
		return nil, err //nolint:wrapcheck // of a listener as it is
	}
	return &gated{Conn: c, leave: func() { <-g.room }}, nil
}

// Close implements [net.Listener].
func (g *gate) Close() error {
	g.once.Do(func() { close(g.closed) })
	return g.Listener.Close() //nolint:wrapcheck // of a listener as it is
}

type gated struct {
	net.Conn
	once  sync.Once
	leave func()
}

// Close implements [net.Conn].
func (c *gated) Close() error {
	c.once.Do(c.leave)
	return c.Conn.Close() //nolint:wrapcheck // of a connection as it is
}

// knownHosts answers those only who ask for an address of this machine: a page in
// a browser of this network, whose name has been turned to it, asks for its own.
// An address of numbers cannot be turned.
func knownHosts(listen string, next http.Handler) http.Handler {
	names := []string{"localhost"}
	if host, _, err := net.SplitHostPort(listen); err == nil && host != "" {
		names = append(names, strings.ToLower(host))
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		names = append(names, strings.ToLower(name))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !knownHost(r.Host, names) {
			http.Error(w, "Not served under this name: ask for the address or the name of the machine.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knownHost reports whether a Host is an address of numbers, one of the names or
// below the last of them, the machine's.
func knownHost(host string, names []string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if net.ParseIP(host) != nil {
		return true
	}
	for _, name := range names {
		if host == name {
			return true
		}
	}
	return false
}
