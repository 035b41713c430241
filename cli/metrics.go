package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"wallboard/config"
	"wallboard/internal/output"
)

// metricsAddr is where the metrics are without another address.
const metricsAddr = "127.0.0.1:9464"

func newMetrics(b *board) *cobra.Command {
	addr := metricsAddr
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "Serve the figures, the alerts and the state of the feed for Prometheus",
		Long: "Metrics connects like a board, without a screen, and serves GET /metrics in the OpenMetrics text format:\n" +
			"figures of the floor, of services, groups and campaigns, agents by state, alerts, and the state of the feed.\n" +
			"No agent is named. Figures of a subscription that is not live are left out.\n\n" +
			"A board serves the same with --metrics.",
		Example: "wallboard metrics --addr 127.0.0.1:9464\ncurl http://127.0.0.1:9464/metrics",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.serve(cmd.Context(), addr)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", addr, "address to listen on; keep it on loopback, nobody has to log in")
	return cmd
}

// serve serves the metrics until the context ends.
func (b *board) serve(ctx context.Context, addr string) error {
	h, err := b.openHeadless()
	if err != nil {
		return err
	}
	v, err := newViewer(h.config, h.feed)
	if err != nil {
		return err
	}
	m, err := serveMetrics(addr, v, h.log, b.streams.Err)
	if err != nil {
		return err
	}
	defer m.stop()
	if _, err := fmt.Fprintf(b.streams.Out, "metrics at http://%s/metrics\n", m.addr); err != nil {
		return output.Failed(err)
	}
	ctx, stop := h.run(ctx, &following{take: m.adopt})
	defer stop()
	<-ctx.Done()
	return endOf(ctx)
}

// metrics serves a viewer's figures over HTTP, read-only. It has two goroutines
// until it is stopped: one evaluates, one serves.
type metrics struct {
	addr   string
	server *http.Server
	cancel context.CancelFunc
	ended  sync.WaitGroup

	mu     sync.Mutex // of viewer
	viewer *viewer
}

// serveMetrics listens on an address and says on warn if others can reach it.
func serveMetrics(addr string, v *viewer, log *slog.Logger, warn io.Writer) (*metrics, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, usageError{fmt.Errorf("%q is not an address to listen on: write it like %s", addr, metricsAddr)}
	}
	ctx, cancel := context.WithCancel(context.Background())
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		cancel()
		if at, ok := errors.AsType[*net.OpError](err); ok {
			err = at.Err // the address is named as it was given
		}
		return nil, fmt.Errorf("metrics cannot be served at %s: %w; if another board has the address, name another one", addr, err)
	}
	if !loopback(addr) {
		_, _ = fmt.Fprintln(warn, "warning: everybody who reaches", l.Addr(), "can read the metrics; nobody has to log in")
		log.Warn("metrics can be read from other machines", "address", l.Addr().String())
	}
	m := &metrics{addr: l.Addr().String(), viewer: v, cancel: cancel}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", m.serve)
	m.server = &http.Server{
		Handler: knownHosts(addr, mux), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	m.ended.Go(func() { m.evaluate(ctx) })
	m.ended.Go(func() {
		if err := m.server.Serve(newGate(l)); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics ended", "error", err)
		}
	})
	return m, nil
}

// evaluate keeps the alerts up to date, scraped or not: they count time.
func (m *metrics) evaluate(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			m.mu.Lock()
			m.viewer.look()
			m.mu.Unlock()
		}
	}
}

func (m *metrics) serve(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	m.viewer.look()
	text := m.viewer.exposition(time.Now())
	m.mu.Unlock()
	w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text) // the scraper will come again
}

// adopt goes on by a changed configuration.
func (m *metrics) adopt(_ context.Context, c *config.Config, elsewhere bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, err := newViewer(c, m.viewer.feed)
	if err != nil {
		return err
	}
	if !elsewhere {
		v.inherit(m.viewer)
	}
	m.viewer = v
	return nil
}

// stop ends both goroutines and waits for them. Of nil metrics there are none.
func (m *metrics) stop() {
	if m == nil {
		return
	}
	m.cancel()
	_ = m.server.Close() // scrapes under way are cut: they are repeated anyway
	m.ended.Wait()
}
