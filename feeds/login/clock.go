package login

import (
	"context"
	"net/http"
	"time"
)

const (
	// clockEvery is how often the platform's clock is read on a session that goes on.
	clockEvery = 5 * time.Minute
	// clockSilence is after how many requests without a Date no more are sent on
	// a session.
	clockSilence = 2
)

// WatchClock reads the platform's clock until the context ends, by requests
// without credentials. What is answered does not matter, only when.
func (l *Login) WatchClock(ctx context.Context) {
	t := time.NewTicker(clockEvery)
	defer t.Stop()
	for silent := 0; silent < clockSilence; {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if silent++; l.AskClock(ctx) {
			silent = 0
		}
	}
}

// AskClock reads it once, and reports whether an answer told it.
func (l *Login) AskClock(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, l.url, nil)
	if err != nil {
		return false
	}
	req.Header.Set("Cache-Control", "no-cache")
	done := l.timed()
	resp, err := l.client.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close() // there is none
	return done(resp.Header)
}
