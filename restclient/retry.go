package restclient

import (
	"context"
	"errors"
	"net/http"
	"time"

	"wallboard/model/resource"
)

// A failed read is repeated twice: after a random delay of minRetryDelay to 1 s, then after
// minRetryDelay to maxRetryDelay. The delays are random to keep many boards from retrying at
// the same time.
const (
	maxReadAttempts = 3
	minRetryDelay   = 200 * time.Millisecond
	maxRetryDelay   = 2 * time.Second
)

// sendWithRetry sends a request. It repeats a read if the connection or a proxy failed, or if
// the platform asks for a retry. All attempts must begin within the time limit of a request.
func (w *requestSender) sendWithRetry(ctx context.Context, x *preparedRequest, p credentials) (*reply, error) {
	o := x.op.Endpoint()
	_, limit := w.transports.forOperation(o)
	if w.timeout > 0 {
		limit = w.timeout
	}
	end := w.now().Add(limit)
	for try := 1; ; try++ {
		re, err := w.send(ctx, x, p)
		if err == nil || o.Mutates {
			return re, err
		}
		delay, again := w.retryDelay(o, err, try)
		if !again || w.now().Add(delay).After(end) || sleep(ctx, delay) != nil {
			return re, err
		}
	}
}

// retryDelay returns the delay after attempt number try, which failed with err. again is false
// if another attempt is useless.
func (w *requestSender) retryDelay(o resource.Endpoint, err error, try int) (delay time.Duration, again bool) {
	var e *Error
	if errors.As(err, &e) && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable && e.RetryAfter > 0) {
		return max(e.RetryAfter, minRetryDelay<<min(try, 6)), true
	}
	if try >= maxReadAttempts || o.Method != http.MethodGet || !isTemporary(err) {
		return 0, false
	}
	bound := maxRetryDelay >> (maxReadAttempts - 1 - try)
	return minRetryDelay + time.Duration(w.jitter()*float64(bound-minRetryDelay)), true
}

// isTemporary reports whether the same request may succeed later.
func isTemporary(err error) bool {
	var e *Error
	if !errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return false
	}
	switch e.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case http.StatusOK:
		return errors.As(err, new(*answerCause)) // the answer was truncated
	}
	return e.Status == 0 && !errors.Is(err, ErrInvalidRequest)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
