package cli

import (
	"log/slog"
	"sync"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/ui/history"
)

// sharedHistory is the history connection that all viewers of a platform share, with one
// request budget and one cache.
type sharedHistory struct {
	mu         sync.Mutex
	connection app.HistoryConnection
}

func openSharedHistory(c *config.Config, log *slog.Logger) (*sharedHistory, error) {
	connection, err := app.OpenHistory(c, log)
	if err != nil {
		return nil, cmdutil.Usage(err)
	}
	return &sharedHistory{connection: connection}, nil
}

func (p *sharedHistory) reader() history.Reader {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.connection.Reader
}

// applyConfig applies another configuration. Existing sessions keep the previous connection,
// unless only the API key changed.
func (p *sharedHistory) applyConfig(c *config.Config, changed []string, log *slog.Logger) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.connection.UpdateAPIKey(c, changed) {
		return nil
	}
	p.connection, err = p.connection.Reconfigure(c, changed, log)
	return err
}

func (p *sharedHistory) isRefused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.connection.Refused()
}

func (p *sharedHistory) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connection.Close()
}
