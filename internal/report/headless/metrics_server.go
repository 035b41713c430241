package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// DefaultMetricsAddress is the default address of the metrics server.
const DefaultMetricsAddress = "127.0.0.1:9464"

// MetricsServer serves the metrics of platforms over HTTP. It has a viewer for each platform.
// It runs two goroutines until [MetricsServer.Stop] is called: one evaluates the alerts, and
// the other serves requests.
type MetricsServer struct {
	Addr       string
	server     *http.Server
	cancel     context.CancelFunc
	goroutines sync.WaitGroup

	mu      sync.Mutex // guards the viewers
	viewers []*Viewer
}

// ServeMetrics starts a metrics server for the viewers in all. If other machines can reach addr, it
// writes a warning to warn. more contains additional host names that requests may use.
func ServeMetrics(addr string, all []*Viewer, log *slog.Logger, warn io.Writer, more ...string) (*MetricsServer, error) {
	ctx, cancel := context.WithCancel(context.Background())
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		cancel()
		if at, ok := errors.AsType[*net.OpError](err); ok {
			err = at.Err // the text below contains the address
		}
		return nil, fmt.Errorf("metrics cannot be served at %s: %w; if another board has the address, name another one", addr, err)
	}
	if !IsLoopback(addr) {
		_, _ = fmt.Fprintln(warn, "warning: everyone who can reach", l.Addr(), "can read the metrics; no login is required")
		log.Warn("metrics can be read from other machines", "address", l.Addr().String())
	}
	m := &MetricsServer{Addr: l.Addr().String(), viewers: all, cancel: cancel}
	names := newAcceptedHosts(addr, more)
	log.Info("metrics are served", "address", l.Addr().String(), "names", names.String())
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", m.handleMetrics)
	m.server = &http.Server{
		Handler: names.withHostCheck(log, mux), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	m.goroutines.Go(func() { m.evaluatePeriodically(ctx) })
	m.goroutines.Go(func() {
		limited, _ := limitConnections(l)
		if err := m.server.Serve(limited); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics ended", "error", err)
		}
	})
	return m, nil
}

// evaluatePeriodically evaluates the alerts until ctx ends. It does so even without new data,
// because alerts depend on durations.
func (m *MetricsServer) evaluatePeriodically(ctx context.Context) {
	tick := time.NewTicker(EvaluateInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			m.mu.Lock()
			m.evaluateAll()
			m.mu.Unlock()
		}
	}
}

// evaluateAll evaluates the alerts of all platforms. The caller must hold mu.
func (m *MetricsServer) evaluateAll() {
	for _, v := range m.viewers {
		v.Evaluate()
	}
}

func (m *MetricsServer) handleMetrics(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	m.evaluateAll()
	plain, kind := prefersText(r.Header.Get("Accept")), "application/openmetrics-text; version=1.0.0; charset=utf-8"
	if plain {
		kind = "text/plain; version=0.0.4; charset=utf-8"
	}
	text := Exposition(m.viewers, time.Now(), plain)
	m.mu.Unlock()
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text) // if this fails, the scraper tries again
}

// prefersText reports whether an Accept header contains text/plain or text/*, but neither the media type of
// OpenMetrics nor application/*.
func prefersText(accept string) bool {
	text := false
	for kind := range strings.SplitSeq(accept, ",") {
		kind, _, _ = strings.Cut(kind, ";")
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "application/openmetrics-text", "application/*":
			return false
		case "text/plain", "text/*":
			text = true
		}
	}
	return text
}

// CheckListenAddress returns an error if addr does not have the form host:port.
func CheckListenAddress(addr string) error {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return fmt.Errorf("%q is not an address to listen on: write it like %s", addr, DefaultMetricsAddress)
	}
	return nil
}

// Stop ends the server and its two goroutines, and waits for them. It does nothing for a nil m.
func (m *MetricsServer) Stop() {
	if m == nil {
		return
	}
	m.cancel()
	_ = m.server.Close() // scrapers repeat aborted requests
	m.goroutines.Wait()
}

// IsLoopback reports whether an address is reachable only from this machine.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
