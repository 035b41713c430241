package headless

import (
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"wallboard/internal/lib/netconn"
)

// Limits on the connections to the metrics server, in total and per address. If a limit is
// exceeded, the oldest connection of the address with most connections is closed, so
// incomplete requests cannot block a scrape.
const (
	maxScrapers   = 16
	maxPerAddress = 8
)

// limitConnections returns a listener that limits the number of connections, and the limiter
// with the open connections.
func limitConnections(l net.Listener) (limited net.Listener, open *netconn.Limiter) {
	open = netconn.NewLimiter(maxPerAddress, maxScrapers)
	open.Grace = 0 // close incomplete requests at any age, so that they do not delay a scrape
	return &netconn.Listener{Listener: l, Admit: func(c net.Conn) (func(), bool) { return open.Add(c, c.RemoteAddr().String()) }}, open
}

// acceptedHosts holds the host names that requests to the metrics server may use.
type acceptedHosts struct {
	names    []string // in lower case
	hostname string   // host name of this machine without its domain; accepted with any domain; "": unknown

	mu             sync.Mutex
	loggedRefusals []string // refused names that were logged, at most maxLoggedRefusals
}

// maxLoggedRefusals limits the number of refused host names that are logged.
const maxLoggedRefusals = 20

// newAcceptedHosts returns the accepted host names: localhost, the name of the machine, the
// host in listen, and the names in more.
func newAcceptedHosts(listen string, more []string) *acceptedHosts {
	h := &acceptedHosts{names: []string{"localhost"}}
	if host, _, err := net.SplitHostPort(listen); err == nil && host != "" {
		h.names = append(h.names, strings.ToLower(host))
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		h.names = append(h.names, strings.ToLower(name))
		h.hostname, _, _ = strings.Cut(strings.ToLower(name), ".")
	}
	for _, name := range more {
		h.names = append(h.names, strings.ToLower(strings.TrimSuffix(name, ".")))
	}
	return h
}

// String lists the accepted host names for the log.
func (h *acceptedHosts) String() string {
	text := "numeric addresses, " + strings.Join(slices.Compact(slices.Sorted(slices.Values(h.names))), ", ")
	if h.hostname != "" {
		text += ", " + h.hostname + ".*"
	}
	return text
}

// withHostCheck returns a handler that calls next only for requests with an accepted host
// name. It refuses other requests to prevent DNS rebinding: if a web page makes its own host
// name resolve to this machine, the browser still sends that name. Numeric addresses cannot be
// rebound and are accepted.
func (h *acceptedHosts) withHostCheck(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.accepts(r.Host) {
			if h.addRefused(r.Host) {
				log.Warn("metrics request refused: unknown host name; --metrics-name adds one", "name", r.Host, "served", h.String())
			}
			http.Error(w, "Not served under this name: ask for the address or the name of the machine.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// accepts reports whether host, the value of a Host header, is a numeric address or an
// accepted name.
func (h *acceptedHosts) accepts(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	return net.ParseIP(host) != nil || slices.Contains(h.names, host) || h.hostname != "" && strings.HasPrefix(host, h.hostname+".")
}

// addRefused records a refused name unless it is known or the list is full. It reports whether it did.
func (h *acceptedHosts) addRefused(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.loggedRefusals) == maxLoggedRefusals || slices.Contains(h.loggedRefusals, name) {
		return false
	}
	h.loggedRefusals = append(h.loggedRefusals, name)
	return true
}
