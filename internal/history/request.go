package history

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/secret"
)

// Limits of a request, and the name of its header.
const (
	connectTimeout = 5 * time.Second
	maxHeader      = 64 << 10
	maxAnswer      = 16 << 20
	maxAttempts    = 3
	apiKeyHeader   = "X-Vendor-APIKey" //nolint:gosec // name of a header (document 3, section Authentication)
)

// transport sends documents within the budget and decodes the answers. It knows nothing about
// the operations.
type transport struct {
	url     string // {datamodel_base}/query
	timeout time.Duration
	now     func() time.Time
	log     *slog.Logger
	http    *http.Transport
	budget  *budget

	mu       sync.Mutex // guards the fields below; it is never held while waiting
	key      secret.Text
	lastErr  error // error of the last request; nil: it was answered
	hasAsked bool
}

func newTransport(o *Options) *http.Transport {
	config := o.TLS.Clone()
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	config.MinVersion = max(config.MinVersion, tls.VersionTLS12)
	dial := o.DialContext
	if dial == nil {
		dial = (&net.Dialer{Timeout: connectTimeout}).DialContext
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dial, TLSClientConfig: config,
		TLSHandshakeTimeout: connectTimeout, MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second,
		DisableCompression: true, // prevents decompression bombs
		ForceAttemptHTTP2:  o.DialContext == nil,
	}
}

// request sends a document and returns the data of the answer by alias. It first waits for the
// budget. It repeats the request if the connection was lost, if the service is unavailable, or
// if the platform rejected it because of its rate. After a rejection, it waits for the time
// that the platform specified. If waiting is not nil, request calls it with the remaining time
// of each wait, and finally with 0.
func (w *transport) request(ctx context.Context, document string, waiting func(time.Duration)) (map[string]json.RawMessage, error) {
	lost := false
	for attempt := 1; ; attempt++ {
		if err := w.budget.wait(ctx, waiting); err != nil {
			return nil, err
		}
		data, err := w.send(ctx, document)
		if ctx.Err() == nil {
			w.setLastResult(err)
		}
		switch {
		case errors.Is(err, ErrRateLimit) && attempt < maxAttempts:
			w.log.Info("rate limit of the platform exceeded; retrying", "attempt", attempt)
			switch waited := w.awaitRetry(ctx, err, waiting); {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case !waited:
				return nil, err
			}
		case errors.Is(err, ErrUnreachable) && errors.Is(err, io.ErrUnexpectedEOF) && !lost:
			lost = true
		case errors.Is(err, ErrUnavailable) && attempt < maxAttempts:
			if !pause(ctx, time.Duration(attempt)*unavailablePause) {
				return nil, err
			}
		default:
			return data, err
		}
	}
}

// awaitRetry waits for the time that the platform specified when it rejected a request, and returns
// true. If it specified none, awaitRetry returns true at once. It returns false without waiting if
// waiting is nil or the deadline of ctx is too early, and it returns false when ctx ends.
func (w *transport) awaitRetry(ctx context.Context, refusal error, waiting func(time.Duration)) bool {
	var e *Error
	if !errors.As(refusal, &e) || e.Retry.IsZero() {
		return true // without a specified time, the halved rate is enough
	}
	left := e.Retry.Sub(w.now())
	if end, ok := ctx.Deadline(); waiting == nil || ok && time.Until(end) < left {
		return false
	}
	waiting(left)
	if !pause(ctx, left) {
		return false
	}
	waiting(0)
	return true
}

// unavailablePause is the pause before the first repetition of a request to an unavailable
// service; the second pause is twice as long. A proxy reports a service as unavailable while
// the service restarts.
const unavailablePause = time.Second

// pause waits for d. It returns false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// setLastResult stores the error of the last request, or nil if it was answered.
func (w *transport) setLastResult(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lastErr, w.hasAsked = err, true
}

// lastResult returns the error of the last request, or nil if it was answered. asked is false
// if no request was sent since the key was last set.
func (w *transport) lastResult() (last error, asked bool) { //nolint:revive // not an error of state's
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lastErr, w.hasAsked
}

// setKey sets the API key for further requests and forgets the result of the last request.
func (w *transport) setKey(key secret.Text) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.key, w.lastErr, w.hasAsked = key, nil, false
}

func (w *transport) apiKey() secret.Text {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.key
}

// send sends a document once and returns the data of the answer by alias.
func (w *transport) send(ctx context.Context, document string) (map[string]json.RawMessage, error) {
	limited, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	r, err := w.post(limited, document)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, transportError(err)
	}
	return w.decodeResponse(r)
}

// decodeResponse returns the data of a response by alias. It halves the allowed rate if the
// platform rejected the request because of its rate.
func (w *transport) decodeResponse(r response) (map[string]json.RawMessage, error) {
	data, err := w.parseAnswer(r.status, r.body)
	if errors.Is(err, ErrRateLimit) {
		w.budget.halveRate()
		var e *Error
		if after := netconn.RetryAfter(r.header, w.now()); errors.As(err, &e) && after > 0 {
			e.Retry = w.now().Add(min(after, maxRetryDelay))
		}
	}
	return data, err
}

// maxRetryDelay limits the delay that a platform can demand. A longer delay is reduced to it.
const maxRetryDelay = 10 * time.Minute

// response is a complete HTTP response.
type response struct {
	status int
	header http.Header
	body   []byte
	tls    *tls.ConnectionState
}

// post sends a document as specified in document 3, section Endpoints. It does not follow
// redirects, because only the platform may receive the key.
func (w *transport) post(ctx context.Context, document string) (response, error) {
	text, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		return response{}, fmt.Errorf("encode the query: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(text))
	if err != nil {
		return response{}, errors.New("invalid address")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set(apiKeyHeader, w.apiKey().Reveal())
	resp, err := w.http.RoundTrip(req)
	if err != nil {
		return response{}, err
	}
	defer resp.Body.Close() //nolint:errcheck // read-only
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return response{}, err
	}
	return response{resp.StatusCode, resp.Header, body, resp.TLS}, nil
}

// connectionLostError means that the connection was lost before the answer was complete.
type connectionLostError struct{}

func (connectionLostError) Error() string {
	return ErrUnreachable.Error() + ": the connection was lost"
}

func (connectionLostError) Unwrap() []error { return []error{ErrUnreachable, io.ErrUnexpectedEOF} }

// transportError converts an error of net/http to an error of this package. It drops the
// original message, which may contain the address or parts of an answer.
func transportError(err error) error {
	var (
		timeout net.Error
		dns     *net.DNSError
		op      *net.OpError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return &Error{Err: ErrTimeout}
	case netconn.TLSProblem(err) != "":
		return &Error{Err: ErrUnreachable, Message: netconn.TLSProblem(err)}
	case errors.As(err, &dns):
		return &Error{Err: ErrUnreachable, Message: "its host name is unknown"}
	case errors.As(err, &op) && op.Op == "dial":
		return &Error{Err: ErrUnreachable, Message: "no server answers at its address"}
	}
	return &Error{Err: connectionLostError{}}
}
