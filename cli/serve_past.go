package cli

import (
	"log/slog"
	"sync"

	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/ui/history"
)

// servedPast is the way to what has been, one for all who look: with one budget of
// requests, and one cache.
type servedPast struct {
	mu  sync.Mutex
	way wiring.WayBack
}

func openPast(c *config.Config, log *slog.Logger) (*servedPast, error) {
	way, err := wiring.OpenHistory(c, log)
	return &servedPast{way: way}, err
}

func (p *servedPast) reader() history.Reader {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.way.Reader
}

// follow goes by another configuration. Who looks already asks the one before it, whose
// idle connections end.
func (p *servedPast) follow(c *config.Config, log *slog.Logger) error {
	next, err := wiring.OpenHistory(c, log)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.way.Close()
	p.way = next
	return nil
}

func (p *servedPast) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.way.Close()
}
