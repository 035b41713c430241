package app

import (
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/history"
	uihistory "wallboard/ui/history"
)

// SharedHistory is the connection to the statistical data service that all viewers of a platform
// share, with one request budget and one cache.
type SharedHistory struct {
	mu     sync.Mutex
	client *history.Client // nil: the service is not configured
	reader historyReader
}

// openHistory creates the connection in the configuration. It sends nothing yet. Errors are of type
// [ConfigError].
func openHistory(c *config.Config, log *slog.Logger) (*SharedHistory, error) {
	h := &SharedHistory{}
	if !c.History.IsConfigured() {
		return h, nil
	}
	client, err := NewHistoryClient(c, log)
	if err != nil {
		return nil, ConfigError{err}
	}
	h.client, h.reader = client, historyReader{client: client, insecure: c.History.InsecureSkipVerify}
	if u, err := url.Parse(c.History.URL); err == nil {
		h.reader.address = u.Host
	}
	return h, nil
}

// Reader returns the current reader for boards, or nil if the service is not configured.
func (h *SharedHistory) Reader() uihistory.Reader {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.client == nil {
		return nil
	}
	return h.reader
}

// ApplyConfig applies a change of the configuration. If only the API key in [history] has changed,
// it changes the key of the current connection. If another key in [history] or [[holiday]] has
// changed, it replaces the connection. Pending requests of the previous connection finish, and
// existing sessions keep using it.
func (h *SharedHistory) ApplyConfig(change *ConfigChange, log *slog.Logger) error {
	if !change.HasChanged("history", "holiday") {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	isKey := func(key string) bool {
		return key == "history.api_key" || !isChanged([]string{key}, "history", "holiday")
	}
	if key := change.Config.History.APIKey; h.client != nil && !key.IsZero() && !slices.ContainsFunc(change.Keys, func(key string) bool { return !isKey(key) }) {
		h.client.SetKey(key)
		h.reader.apiKeyVersion++
		return nil
	}
	next, err := openHistory(change.Config, log)
	if err != nil {
		return err
	}
	h.close()
	h.client, h.reader = next.client, next.reader
	return nil
}

// IsRefused reports whether the service refuses the API key.
func (h *SharedHistory) IsRefused() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.client == nil {
		return false
	}
	err, _ := h.client.LastResult()
	return errors.Is(err, history.ErrInvalidKey)
}

// Close closes the current connection.
func (h *SharedHistory) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.close()
}

func (h *SharedHistory) close() {
	if h.client != nil {
		h.client.Close()
	}
}
