package headless

import (
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

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

// hosts are the names under which metrics are served.
type hosts struct {
	names []string // in small letters
	own   string   // the machine's name without its domain, which may have any; "": not known

	mu      sync.Mutex
	refused []string // names that were told of
}

// mostRefused bounds how many refused names are told of.
const mostRefused = 20

// hostsOf returns the names for an address to listen on: those of the machine, and more.
func hostsOf(listen string, more []string) *hosts {
	h := &hosts{names: []string{"localhost"}}
	if host, _, err := net.SplitHostPort(listen); err == nil && host != "" {
		h.names = append(h.names, strings.ToLower(host))
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		h.names = append(h.names, strings.ToLower(name))
		h.own, _, _ = strings.Cut(strings.ToLower(name), ".")
	}
	for _, name := range more {
		h.names = append(h.names, strings.ToLower(strings.TrimSuffix(name, ".")))
	}
	return h
}

// String says what is answered.
func (h *hosts) String() string {
	text := "addresses of numbers, " + strings.Join(slices.Compact(slices.Sorted(slices.Values(h.names))), ", ")
	if h.own != "" {
		text += ", " + h.own + ".*"
	}
	return text
}

// guard answers those only who ask for an address of this machine: a page in
// a browser of this network, whose name has been turned to it, asks for its own.
// An address of numbers cannot be turned.
func (h *hosts) guard(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.knows(r.Host) {
			if h.isNew(r.Host) {
				log.Warn("metrics are not served under this name; --metrics-name adds one", "name", r.Host, "served", h.String())
			}
			http.Error(w, "Not served under this name: ask for the address or the name of the machine.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knows reports whether a Host is an address of numbers or one of the names.
func (h *hosts) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	return net.ParseIP(host) != nil || slices.Contains(h.names, host) || h.own != "" && strings.HasPrefix(host, h.own+".")
}

// isNew reports whether a name that is refused was not told of yet.
func (h *hosts) isNew(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.refused) == mostRefused || slices.Contains(h.refused, name) {
		return false
	}
	h.refused = append(h.refused, name)
	return true
}
