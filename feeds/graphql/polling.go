package graphql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	readLimit      = 16 << 20 // largest response, in bytes
	workerCount    = 3        // requests that may run at the same time
	requestTimeout = 30 * time.Second
)

// PollingOptions configures a [PollingConn].
type PollingOptions struct {
	URL       string
	Cookie    string // Cookie header with the credentials; "": none
	Transport *http.Transport
	Probe     string // query that is sent when no data was received for a while
	Now       func() time.Time
	Timer     RequestTimer
}

// PollingConn is a session over HTTP POST. Its workers, which send the requests, have ended when
// [PollingConn.Close] returns.
type PollingConn struct {
	opts    PollingOptions
	client  *http.Client
	handler Handler

	ctx    context.Context //nolint:containedctx // ends with the session
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
	wake   chan struct{}

	mu          sync.Mutex // guards the fields below
	issuedIDs   int        // number of IDs issued
	queue       []queuedRequest
	openIDs     map[string]bool // queries that were neither canceled nor answered
	header      http.Header     // header of the newest response
	respondedAt time.Time       // when the newest response arrived
	stats       Stats
}

type queuedRequest struct {
	id   string
	body []byte
}

// OpenPolling opens a session: it queries the server's version, with the credentials, and waits for
// the response. h receives the answers to later queries.
func OpenPolling(ctx context.Context, o PollingOptions, h Handler) (*PollingConn, error) {
	p := &PollingConn{
		opts: o, client: NewClient(o.Transport, requestTimeout), handler: h,
		wake: make(chan struct{}, workerCount), openIDs: make(map[string]bool),
	}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	first, cancel := context.WithTimeout(p.ctx, maxSilence+probeTimeout)
	defer cancel()
	body, err := p.postWithin(first, EncodeRequest("query Version { version { server { major minor patch } } }", nil))
	if err == nil {
		err = versionRefusal(body)
	}
	if err != nil {
		p.cancel(nil)
		return nil, err
	}
	for range workerCount {
		p.wg.Go(p.runWorker)
	}
	p.wg.Go(p.watchLiveness)
	return p, nil
}

// versionRefusal returns an error if the server rejects the credentials in body, the answer to the
// query for the version. Otherwise it returns nil.
func versionRefusal(body []byte) error {
	var m struct {
		Errors json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(body, &m) != nil || len(m.Errors) == 0 {
		return nil //nolint:nilerr // an unreadable response is no refusal
	}
	if refused := FindUnauthorized(ParseErrors(m.Errors)); refused != nil {
		return refused
	}
	return nil
}

// Subscribe queues an operation and returns its ID. It sends only queries. For a subscription it
// sends and delivers nothing.
func (p *PollingConn) Subscribe(query string, variables map[string]any) (string, error) {
	if err := context.Cause(p.ctx); err != nil {
		return "", fmt.Errorf("polling: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.issuedIDs++
	id := "poll" + strconv.Itoa(p.issuedIDs)
	if strings.HasPrefix(query, KindSubscription) {
		return id, nil
	}
	p.openIDs[id] = true
	p.queue = append(p.queue, queuedRequest{id, EncodeRequest(query, variables)})
	p.wakeWorker()
	return id, nil
}

func (p *PollingConn) wakeWorker() {
	select {
	case p.wake <- struct{}{}:
	default: // a wake-up is already pending
	}
}

// Unsubscribe cancels a query. The response to the query is dropped.
func (p *PollingConn) Unsubscribe(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.openIDs, id)
}

// Abort ends the session with the given reason, without waiting for its workers.
func (p *PollingConn) Abort(reason error) { p.cancel(reason) }

// Context returns a context that ends with the session. Its cause is the reason why the session
// ended.
func (p *PollingConn) Context() context.Context { return p.ctx }

// Query sends a query, waits for the response and returns its body.
func (p *PollingConn) Query(query string) ([]byte, error) { return p.post(EncodeRequest(query, nil)) }

// Close ends the session and waits for its workers.
func (p *PollingConn) Close() {
	p.cancel(ErrClosed)
	p.wg.Wait()
	p.client.CloseIdleConnections()
}

func (p *PollingConn) runWorker() {
	for {
		r, ok := p.nextRequest()
		if !ok {
			select {
			case <-p.ctx.Done():
				return
			case <-p.wake:
			}
			continue
		}
		body, err := p.post(r.body)
		if err != nil {
			if big := (*TooLargeError)(nil); errors.As(err, &big) {
				p.failQuery(r.id, []Error{{Message: big.Error()}})
				continue
			}
			p.Abort(err)
			return
		}
		p.deliverAnswer(r.id, body)
	}
}

// nextRequest removes the oldest query that was not canceled from the queue. It returns false if
// the queue is empty or the session has ended.
func (p *PollingConn) nextRequest() (queuedRequest, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) > 0 && p.ctx.Err() == nil {
		r := p.queue[0]
		if p.queue = p.queue[1:]; p.openIDs[r.id] {
			p.wakeWorker()
			return r, true
		}
	}
	return queuedRequest{}, false
}

// removeQuery removes the query id from the open queries. It returns false if the query was
// canceled before.
func (p *PollingConn) removeQuery(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	waited := p.openIDs[id]
	delete(p.openIDs, id)
	return waited
}

func (p *PollingConn) failQuery(id string, errs []Error) {
	if p.removeQuery(id) {
		p.handler.Fail(id, errs)
	}
}

func (p *PollingConn) deliverAnswer(id string, body []byte) {
	var m struct {
		Data   jsonPresence    `json:"data"`
		Errors json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(body, &m); err == nil && !bool(m.Data) && len(m.Errors) > 0 {
		p.failQuery(id, ParseErrors(m.Errors))
		return
	}
	if p.removeQuery(id) {
		p.handler.Next(id, body)
	}
}

// post sends a request with the given body and returns the response body.
func (p *PollingConn) post(body []byte) ([]byte, error) { return p.postWithin(p.ctx, body) }

func (p *PollingConn) postWithin(ctx context.Context, body []byte) ([]byte, error) {
	req, err := NewPostRequest(ctx, p.opts.URL, body)
	if err != nil {
		return nil, fmt.Errorf("polling: %w", err)
	}
	if p.opts.Cookie != "" {
		req.Header.Set("Cookie", p.opts.Cookie)
	}
	timed := p.opts.Timer()
	resp, err := p.client.Do(req)
	if err != nil {
		if cause := context.Cause(p.ctx); cause != nil {
			return nil, fmt.Errorf("polling: %w", cause)
		}
		return nil, fmt.Errorf("polling: %w", RedactHTTPError(err))
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	timed(resp.Header)
	p.markAlive()
	b, err := ReadAnswer(aliveReader{resp.Body, p}, readLimit)
	if err != nil {
		return nil, fmt.Errorf("polling: read the answer: %w", err)
	}
	p.mu.Lock()
	p.header, p.respondedAt = resp.Header, p.opts.Now()
	p.stats.Frames++
	p.stats.Bytes += int64(len(b))
	p.mu.Unlock()
	return b, checkAnswer(resp, b)
}

// checkAnswer returns an error if the response refuses the credentials or a too large request, or is not JSON.
func checkAnswer(resp *http.Response, body []byte) error {
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &UnauthorizedError{Message: StatusText(resp)}
	case resp.StatusCode == http.StatusRequestEntityTooLarge || resp.StatusCode == http.StatusRequestURITooLong:
		return &TooLargeError{Reason: "the request is too large: " + StatusText(resp)}
	case !json.Valid(body):
		if resp.StatusCode == http.StatusOK {
			return fmt.Errorf("polling: %w", notGraphQL(resp))
		}
		return &HandshakeError{Status: resp.StatusCode}
	}
	return nil
}

// Subprotocol returns "", because HTTP has no sub-protocol.
func (*PollingConn) Subprotocol() string { return "" }

// Opened returns when the newest response arrived.
func (p *PollingConn) Opened() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.respondedAt
}

// ResponseHeader returns the header of the newest response.
func (p *PollingConn) ResponseHeader() http.Header {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.header
}

// Stats returns the current counters.
func (p *PollingConn) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// jsonPresence is true for a member that is present and not null in a JSON object. The member's
// value is not stored.
type jsonPresence bool

// UnmarshalJSON implements [json.Unmarshaler].
func (p *jsonPresence) UnmarshalJSON(b []byte) error {
	*p = string(b) != "null"
	return nil
}
