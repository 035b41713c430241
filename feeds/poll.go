package feeds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/queries"
	"wallboard/feeds/requests"
)

// Where something on the way does not let WebSockets pass, the same documents
// are asked for over HTTP POST (document 2, section HTTP), again and again.
const (
	defaultPollEvery = 5 * time.Second
	// webSocketAgain is how often a WebSocket is tried meanwhile, in the end.
	webSocketAgain = 3 * time.Minute
	pollWorkers    = 3 // requests under way at a time
	pollTimeout    = 30 * time.Second
)

// transport is what carries operations: a WebSocket, or requests of their own.
type transport interface {
	requests.Connection
	Abort(reason error)
	Subprotocol() string
	Opened() time.Time
	ResponseHeader() http.Header
	Stats() graphqlws.Stats
}

// poller is a transport over HTTP POST. A subscription on it is silent; a query
// is answered. Its workers have ended when close returns.
type poller struct {
	url     string
	cookie  string
	client  *http.Client
	handler graphqlws.Handler
	now     func() time.Time
	timed   func() func(http.Header) bool

	ctx    context.Context //nolint:containedctx // the life of the transport itself
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
	wake   chan struct{}

	mu     sync.Mutex // guards what follows
	issued int
	queue  []pollRequest
	open   map[string]bool
	header http.Header
	opened time.Time
	stats  graphqlws.Stats
}

// pollRequest is one request that waits for a worker.
type pollRequest struct {
	id   string
	body []byte
}

// newPoller asks for the server's version and returns when it was answered.
func newPoller(ctx context.Context, f *Feed, h graphqlws.Handler) (*poller, error) {
	var o graphqlws.Options
	if err := f.login.apply(ctx, &o); err != nil {
		return nil, err
	}
	cookie := o.Header.Get("Cookie")
	if o.InitPayload != nil { // there is no connection_init; the token has a cookie, too
		cookie = f.login.tokenCookie()
	}
	p := &poller{
		url: f.opts.URL, cookie: cookie, client: newClient(plainTransport(&f.opts), pollTimeout), handler: h, now: f.now, timed: f.timeRequest,
		wake: make(chan struct{}, pollWorkers), open: make(map[string]bool),
	}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	first, cancel := context.WithTimeout(p.ctx, quietAfter+signWithin)
	defer cancel()
	body, err := p.postWithin(first, requestBody("query Version { version { server { major minor patch } } }", nil))
	if err == nil {
		err = refusedVersion(body)
	}
	if err != nil {
		p.cancel(nil)
		return nil, err
	}
	for range pollWorkers {
		p.wg.Go(p.work)
	}
	p.wg.Go(p.watch)
	return p, nil
}

// refusedVersion reports whether the credentials did not do.
func refusedVersion(body []byte) error {
	var m struct {
		Errors json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(body, &m) != nil || len(m.Errors) == 0 {
		return nil //nolint:nilerr // what cannot be read refuses nobody
	}
	if msg, ok := unauthorized(graphqlws.ParseErrors(m.Errors)); ok {
		return &unauthorizedError{msg: msg}
	}
	return nil
}

// requestBody is the body of a POST. What it holds always marshals.
func requestBody(query string, variables map[string]any) []byte {
	b, err := json.Marshal(struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{query, variables})
	if err != nil {
		return nil
	}
	return b
}

// Subscribe queues a query; of a subscription nothing is sent.
func (p *poller) Subscribe(query string, variables map[string]any) (string, error) {
	if err := context.Cause(p.ctx); err != nil {
		return "", fmt.Errorf("polling: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.issued++
	id := "poll" + strconv.Itoa(p.issued)
	if strings.HasPrefix(query, queries.KindSubscription) {
		return id, nil
	}
	p.open[id] = true
	p.queue = append(p.queue, pollRequest{id, requestBody(query, variables)})
	p.signal()
	return id, nil
}

// signal wakes a worker. The caller holds mu.
func (p *poller) signal() {
	select {
	case p.wake <- struct{}{}:
	default: // all are awake
	}
}

// Unsubscribe forgets a query; its answer is for nobody.
func (p *poller) Unsubscribe(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, id)
}

// Abort ends the transport without waiting for its workers.
func (p *poller) Abort(reason error) { p.cancel(reason) }

// close ends the transport.
func (p *poller) close() {
	p.cancel(graphqlws.ErrClosed)
	p.wg.Wait()
	p.client.CloseIdleConnections()
}

func (p *poller) work() {
	for {
		r, ok := p.next()
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
			if big := (*tooLargeError)(nil); errors.As(err, &big) {
				p.fail(r.id, []graphqlws.GraphQLError{{Message: big.Error()}})
				continue
			}
			p.Abort(err)
			return
		}
		p.deliver(r.id, body)
	}
}

// next takes the oldest query that somebody still waits for.
func (p *poller) next() (pollRequest, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) > 0 && p.ctx.Err() == nil {
		r := p.queue[0]
		if p.queue = p.queue[1:]; p.open[r.id] {
			p.signal()
			return r, true
		}
	}
	return pollRequest{}, false
}

// finish reports whether somebody still waits for an answer.
func (p *poller) finish(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	waited := p.open[id]
	delete(p.open, id)
	return waited
}

func (p *poller) fail(id string, errs []graphqlws.GraphQLError) {
	if p.finish(id) {
		p.handler.Fail(id, errs)
	}
}

func (p *poller) deliver(id string, body []byte) {
	var m struct {
		Data   present         `json:"data"`
		Errors json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(body, &m); err == nil && !bool(m.Data) && len(m.Errors) > 0 {
		p.fail(id, graphqlws.ParseErrors(m.Errors))
		return
	}
	if p.finish(id) {
		p.handler.Next(id, body)
	}
}

// tooLargeError says that a request is longer than the server takes, or its answer
// than the board does.
type tooLargeError struct{ what string }

// Error implements error.
func (e *tooLargeError) Error() string { return e.what }

// post sends one request and returns the body of its answer.
func (p *poller) post(body []byte) ([]byte, error) { return p.postWithin(p.ctx, body) }

func (p *poller) postWithin(ctx context.Context, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("polling: the address of the service is not a URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if p.cookie != "" {
		req.Header.Set("Cookie", p.cookie)
	}
	timed := p.timed()
	resp, err := p.client.Do(req)
	if err != nil {
		if cause := context.Cause(p.ctx); cause != nil {
			return nil, fmt.Errorf("polling: %w", cause)
		}
		return nil, fmt.Errorf("polling: %w", graphqlws.Unquoted(err))
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	timed(resp.Header)
	p.heard()
	b, err := readAnswer(listening{resp.Body, p}, readLimit)
	if err != nil {
		return nil, fmt.Errorf("polling: read the answer: %w", err)
	}
	p.mu.Lock()
	p.header, p.opened = resp.Header, p.now()
	p.stats.Frames++
	p.stats.Bytes += int64(len(b))
	p.mu.Unlock()
	return b, judgeAnswer(resp, b)
}

// judgeAnswer reports whether an answer is one of the service.
func judgeAnswer(resp *http.Response, body []byte) error {
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &unauthorizedError{msg: statusOf(resp)}
	case resp.StatusCode == http.StatusRequestEntityTooLarge || resp.StatusCode == http.StatusRequestURITooLong:
		return &tooLargeError{"the request is too large: " + statusOf(resp)}
	case !json.Valid(body):
		if resp.StatusCode == http.StatusOK {
			return errors.New("polling: the answer is not a GraphQL answer; is [rtd] url right?")
		}
		return &graphqlws.HandshakeError{Status: resp.StatusCode}
	}
	return nil
}

// Subprotocol implements transport: there is none.
func (*poller) Subprotocol() string { return "" }

// Opened implements transport.
func (p *poller) Opened() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}

// ResponseHeader implements transport: that of the newest answer.
func (p *poller) ResponseHeader() http.Header {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.header
}

// Stats implements transport.
func (p *poller) Stats() graphqlws.Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// poll serves the feed over HTTP until that fails, or until a WebSocket passes
// again.
func (l *link) poll(ctx context.Context) error {
	f := l.f
	h := &handler{f: f}
	p, err := newPoller(ctx, f, h)
	if err != nil {
		l.polling, l.last.polled = false, true
		return err
	}
	defer p.close()
	f.up(h, p)
	f.setNotice(l.blamed)
	began := f.now()
	wait := againAtOnce
	again := time.NewTimer(wait)
	defer again.Stop()
	for {
		select {
		case <-p.ctx.Done():
			l.ends(h, began)
			return context.Cause(p.ctx) //nolint:wrapcheck // it is typed
		case <-again.C:
		case <-f.retry:
			wait = againAtOnce
		}
		next := &handler{f: f}
		conn, err := l.dial(p.ctx, next) // which ends when polling does
		if err == nil {
			p.close()
			l.polling, l.stripped = false, 0
			return l.stay(ctx, next, conn)
		}
		f.log.Info("still no WebSocket", "reason", f.clean(reasonOf(err)))
		wait = min(2*wait, webSocketAgain)
		again.Reset(wait)
	}
}

// swallowed counts an upgrade that something on the way does not let pass, and
// reports whether that has been so again and again. Then HTTP is next; where that
// fails, a WebSocket is tried once before it is next again. What ends polling says
// nothing about WebSockets.
func (l *link) swallowed() bool {
	if !l.last.polled {
		l.stripped++
		l.polling = l.stripped >= strippedMany
	}
	return l.stripped >= strippedMany
}

// soon bounds the wait before the first try of another way: it has not failed yet.
func (l *link) soon(delay time.Duration) time.Duration {
	if l.polling && !l.last.polled {
		return min(delay, soonAfter)
	}
	return delay
}

// swallows reports whether a connection was closed as by something on the way that
// does not know WebSockets; whether HTTP passes, polling finds out.
func swallows(err error) bool {
	var shake *graphqlws.HandshakeError
	var closed *graphqlws.CloseError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &closed) && !closed.Acked && closed.Err != nil || // a close frame is a WebSocket's
		errors.As(err, &shake) && shake.Status == http.StatusBadGateway
}

// errNewVersion ends a session with a server that is another than before.
var errNewVersion = errors.New("the server has another version than before")
