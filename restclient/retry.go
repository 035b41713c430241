package restclient

import (
	"context"
	"errors"
	"net/http"
	"time"

	"wallboard/model/resource"
)

// How what only reads is tried again: after delays between the least and 1 s,
// then 2 s, by chance, so that many boards do not come back at once.
const (
	readTries     = 3
	leastDelay    = 200 * time.Millisecond
	greatestDelay = 2 * time.Second
)

// sendPatiently sends an exchange, and again when it only reads and the
// connection or something on the way failed, or when the platform asks to come
// back later and that is within the time of the request.
func (w *wire) sendPatiently(ctx context.Context, x *exchange, p pass) (*reply, error) {
	o := x.op.Endpoint()
	_, limit := w.transports.of(o)
	if w.timeout > 0 {
		limit = w.timeout
	}
	end := w.now().Add(limit)
	for try := 1; ; try++ {
		re, err := w.send(ctx, x, p)
		if err == nil || o.Acts {
			return re, err
		}
		delay, again := w.delay(o, err, try)
		if !again || w.now().Add(delay).After(end) || pause(ctx, delay) != nil {
			return re, err
		}
	}
}

// delay is how long to wait after a failure; again is false when another try is
// of no use.
func (w *wire) delay(o resource.Endpoint, err error, try int) (delay time.Duration, again bool) {
	var e *Error
	if errors.As(err, &e) && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable && e.RetryAfter > 0) {
		return max(e.RetryAfter, leastDelay<<min(try, 6)), true
	}
	if try >= readTries || o.Method != http.MethodGet || !passing(err) {
		return 0, false
	}
	bound := greatestDelay >> (readTries - 1 - try)
	return leastDelay + time.Duration(w.jitter()*float64(bound-leastDelay)), true
}

// passing reports whether an error may be gone at the next try.
func passing(err error) bool {
	var e *Error
	if !errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return false
	}
	switch e.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case http.StatusOK:
		return errors.As(err, new(*cause)) // the answer was cut off
	}
	return e.Status == 0 && !errors.Is(err, ErrInvalid)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // only whether
	}
}
