package graphql

import (
	"context"
	"net/http"
	"time"
)

const (
	// clockInterval is how often the platform's clock is read during a session.
	clockInterval = 5 * time.Minute
	// maxMissingDates is the number of readings in a row without a usable Date after which
	// [Login.WatchClock] gives up.
	maxMissingDates = 2
)

// WatchClock periodically reads the platform's clock from the Date header of responses. The
// requests contain no credentials. WatchClock returns when ctx ends, or after maxMissingDates
// readings in a row without a usable Date.
func (l *Login) WatchClock(ctx context.Context) {
	t := time.NewTicker(clockInterval)
	defer t.Stop()
	for silent := 0; silent < maxMissingDates; {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if silent++; l.ReadClock(ctx) {
			silent = 0
		}
	}
}

// ReadClock sends one request to read the platform's clock. It reports whether the response
// contained a usable Date.
func (l *Login) ReadClock(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, l.url, nil)
	if err != nil {
		return false
	}
	req.Header.Set("Cache-Control", "no-cache")
	done := l.timer()
	resp, err := l.client.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close() // HEAD has no body
	return done(resp.Header)
}
