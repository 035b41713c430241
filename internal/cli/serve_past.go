package cli

import (
	"log/slog"
	"sync"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/ui/history"
)

// servedPast is the history connection that all viewers of a platform share, with one
// request budget and one cache.
type servedPast struct {
	mu  sync.Mutex
	way app.HistoryConnection
}

func openPast(c *config.Config, log *slog.Logger) (*servedPast, error) {
	way, err := app.OpenHistory(c, log)
	if err != nil {
		return nil, cmdutil.Usage(err)
	}
	return &servedPast{way: way}, nil
}

func (p *servedPast) reader() history.Reader {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.way.Reader
}

// follow applies another configuration. Existing sessions keep the previous connection,
// unless only the API key changed.
func (p *servedPast) follow(c *config.Config, changed []string, log *slog.Logger) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.way.UpdateAPIKey(c, changed) {
		return nil
	}
	p.way, err = p.way.Reconfigure(c, changed, log)
	return err
}

func (p *servedPast) refused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.way.Refused()
}

func (p *servedPast) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.way.Close()
}
