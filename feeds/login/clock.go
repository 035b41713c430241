package login

import (
	"context"
	"net/http"
	"time"
)

const (
	// clockInterval is how often the platform's clock is read during a session.
	clockInterval = 5 * time.Minute
	// maxMissingDates is the number of responses without Date after which a
	// session stops asking.
	maxMissingDates = 2
)

// WatchClock periodically reads the platform's clock from the Date of responses to
// requests without credentials. It returns when ctx ends, or when responses
// repeatedly contain no Date.
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

// ReadClock reads the clock once and reports whether the response contained it.
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
