package app

import (
	"log/slog"
	"sync"

	"wallboard/internal/config"
	"wallboard/ui/history"
)

// SharedHistory is the history connection that all viewers of a platform share, with one
// request budget and one cache.
type SharedHistory struct {
	mu         sync.Mutex
	connection HistoryConnection
}

// OpenSharedHistory opens the connection that the configuration describes. Errors are of
// the type [ConfigError].
func OpenSharedHistory(c *config.Config, log *slog.Logger) (*SharedHistory, error) {
	connection, err := OpenHistory(c, log)
	if err != nil {
		return nil, ConfigError{Err: err}
	}
	return &SharedHistory{connection: connection}, nil
}

// Reader returns the present reader.
func (p *SharedHistory) Reader() history.Reader {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.connection.Reader
}

// ApplyConfig applies another configuration. Existing sessions keep the previous connection,
// unless only the API key changed.
func (p *SharedHistory) ApplyConfig(c *config.Config, changed []string, log *slog.Logger) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.connection.UpdateAPIKey(c, changed) {
		return nil
	}
	p.connection, err = p.connection.Reconfigure(c, changed, log)
	return err
}

// IsRefused reports whether the service refuses the API key.
func (p *SharedHistory) IsRefused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.connection.Refused()
}

// Close closes the present connection.
func (p *SharedHistory) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connection.Close()
}
