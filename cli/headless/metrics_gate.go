package headless

import (
	"net"
	"net/http"
	"os"
	"strings"

	"wallboard/internal/pending"
)

// The connections that metrics are served on at a time, of one address and together. Where
// there are more, the oldest of the address with the most is closed: half a request must not
// hold up a scrape.
const (
	mostScrapers  = 16
	mostOfAddress = 8
)

// gate is a listener that has so many connections at a time.
type gate struct {
	net.Listener
	open *pending.Connections
}

func newGate(l net.Listener) *gate {
	return &gate{Listener: l, open: pending.New(mostOfAddress, mostScrapers)}
}

// Accept implements [net.Listener].
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err //nolint:wrapcheck // of a listener as it is
		}
		leave, ok := g.open.Add(c, c.RemoteAddr().String())
		if ok {
			return &gated{Conn: c, leave: leave}, nil
		}
		_ = c.Close()
	}
}

type gated struct {
	net.Conn
	leave func()
}

// Close implements [net.Conn].
func (c *gated) Close() error {
	c.leave()
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
