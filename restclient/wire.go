package restclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"wallboard/model/resource"
)

// requestSender sends single requests and reads their answers. It handles neither logins nor editions.
type requestSender struct {
	baseURL    string        // {base_url}, without a slash at the end
	timeout    time.Duration // total time of one request; 0: the default of the operation
	transports transports
	secrets    func(credentials) []string // texts that messages about a request must not contain
	log        *slog.Logger
	now        func() time.Time
	jitter     func() float64 // in [0,1)
}

// preparedRequest is an encoded request that can be sent several times.
type preparedRequest struct {
	op      resource.Operation
	url     string
	payload []byte // nil: no body
	secrets []string
}

// prepare encodes a request. path may contain placeholders. An error has the outcome [resource.OutcomeNotSent].
func (w *requestSender) prepare(r request, path string) (*preparedRequest, error) {
	path, err := fillPath(path, placeholders(r.op.Endpoint().Path), r.path)
	if err != nil {
		return nil, notSentError(r.op, err)
	}
	x := &preparedRequest{op: r.op, url: w.baseURL + path, secrets: r.secrets}
	if len(r.query) > 0 {
		x.url += "?" + r.query.Encode()
	}
	if r.body != nil {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r.body); err != nil {
			return nil, notSentError(r.op, fmt.Errorf("%w: it cannot be encoded as JSON", ErrInvalidRequest))
		}
		x.payload = bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	}
	return x, nil
}

// newRequest returns the HTTP request with the credentials p. It creates all requests of the
// package.
func (x *preparedRequest) newRequest(ctx context.Context, p credentials) (*http.Request, error) {
	var body io.Reader
	if x.payload != nil {
		body = bytes.NewReader(x.payload)
	}
	r, err := http.NewRequestWithContext(ctx, x.op.Endpoint().Method, x.url, body)
	if err != nil {
		return nil, fmt.Errorf("%w: the address is not valid", ErrInvalidRequest)
	}
	r.GetBody = nil // prevents net/http from repeating the request
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "wallboard")
	if x.payload != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	p.apply(r)
	return r, nil
}

// send sends a request once and reads its answer. It returns an error for an unsuccessful answer.
func (w *requestSender) send(ctx context.Context, x *preparedRequest, p credentials) (*reply, error) {
	o := x.op.Endpoint()
	transport, limit := w.transports.forOperation(o)
	if w.timeout > 0 {
		limit = w.timeout
	}
	began := w.now()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	re, err := w.roundTrip(ctx, transport, x, p)
	w.logResult(ctx, x.op, w.now().Sub(began), err)
	return re, err
}

func (w *requestSender) roundTrip(ctx context.Context, rt http.RoundTripper, x *preparedRequest, p credentials) (*reply, error) {
	var t requestTrace
	r, err := x.newRequest(t.attach(ctx), p)
	if err != nil {
		return nil, notSentError(x.op, err)
	}
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return nil, noAnswerError(x.op, &t, err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	return readReply(x.op, resp, append(w.secrets(p), x.secrets...))
}

func (w *requestSender) logResult(ctx context.Context, op resource.Operation, took time.Duration, err error) {
	if err == nil {
		w.log.DebugContext(ctx, "rest request", "operation", op, "took", took)
		return
	}
	w.log.InfoContext(ctx, "rest request failed", "operation", op, "took", took, "err", err)
}
