// Package polling asks for the documents of the service over HTTP POST (document 2,
// section HTTP), where something on the way does not let WebSockets pass.
//
// A [Conn] looks like a session: a query is answered, a subscription on it is silent.
// Whoever holds one asks again and again.
package polling

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

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/post"
	"wallboard/feeds/queries"
)

const (
	readLimit = 16 << 20
	workers   = 3 // requests under way at a time
	timeout   = 30 * time.Second
)

// Options say where to ask, and as whom.
type Options struct {
	URL       string
	Cookie    string // with the credentials; "": none
	Transport *http.Transport
	Probe     string // a query that asks for a sign of life
	Now       func() time.Time
	Timed     post.Timer
}

// Conn is a session over HTTP POST. Its workers have ended when [Conn.Close]
// returns.
type Conn struct {
	opts    Options
	client  *http.Client
	handler graphqlws.Handler

	ctx    context.Context //nolint:containedctx // the life of the transport itself
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
	wake   chan struct{}

	mu     sync.Mutex // guards what follows
	issued int
	queue  []request
	open   map[string]bool
	header http.Header
	opened time.Time
	stats  graphqlws.Stats
}

// request is one request that waits for a worker.
type request struct {
	id   string
	body []byte
}

// Open asks for the server's version and returns when it was answered.
func Open(ctx context.Context, o Options, h graphqlws.Handler) (*Conn, error) {
	p := &Conn{
		opts: o, client: post.Client(o.Transport, timeout), handler: h,
		wake: make(chan struct{}, workers), open: make(map[string]bool),
	}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	first, cancel := context.WithTimeout(p.ctx, quietAfter+signWithin)
	defer cancel()
	body, err := p.postWithin(first, post.Body("query Version { version { server { major minor patch } } }", nil))
	if err == nil {
		err = refusedVersion(body)
	}
	if err != nil {
		p.cancel(nil)
		return nil, err
	}
	for range workers {
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
	if refused := graphqlws.Unauthorized(graphqlws.ParseErrors(m.Errors)); refused != nil {
		return refused //nolint:wrapcheck // it is typed
	}
	return nil
}

// Subscribe queues a query; of a subscription nothing is sent.
func (p *Conn) Subscribe(query string, variables map[string]any) (string, error) {
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
	p.queue = append(p.queue, request{id, post.Body(query, variables)})
	p.signal()
	return id, nil
}

// signal wakes a worker. The caller holds mu.
func (p *Conn) signal() {
	select {
	case p.wake <- struct{}{}:
	default: // all are awake
	}
}

// Unsubscribe forgets a query; its answer is for nobody.
func (p *Conn) Unsubscribe(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, id)
}

// Abort ends the transport without waiting for its workers.
func (p *Conn) Abort(reason error) { p.cancel(reason) }

// Context ends with the transport, for the reason that ended it.
func (p *Conn) Context() context.Context { return p.ctx }

// Ask sends a query and returns its answer.
func (p *Conn) Ask(query string) ([]byte, error) { return p.post(post.Body(query, nil)) }

// Close ends the transport.
func (p *Conn) Close() {
	p.cancel(graphqlws.ErrClosed)
	p.wg.Wait()
	p.client.CloseIdleConnections()
}

func (p *Conn) work() {
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
			if big := (*post.TooLargeError)(nil); errors.As(err, &big) {
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
func (p *Conn) next() (request, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) > 0 && p.ctx.Err() == nil {
		r := p.queue[0]
		if p.queue = p.queue[1:]; p.open[r.id] {
			p.signal()
			return r, true
		}
	}
	return request{}, false
}

// finish reports whether somebody still waits for an answer.
func (p *Conn) finish(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	waited := p.open[id]
	delete(p.open, id)
	return waited
}

func (p *Conn) fail(id string, errs []graphqlws.GraphQLError) {
	if p.finish(id) {
		p.handler.Fail(id, errs)
	}
}

func (p *Conn) deliver(id string, body []byte) {
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

// post sends one request and returns the body of its answer.
func (p *Conn) post(body []byte) ([]byte, error) { return p.postWithin(p.ctx, body) }

func (p *Conn) postWithin(ctx context.Context, body []byte) ([]byte, error) {
	req, err := post.Request(ctx, p.opts.URL, body)
	if err != nil {
		return nil, fmt.Errorf("polling: %w", err)
	}
	if p.opts.Cookie != "" {
		req.Header.Set("Cookie", p.opts.Cookie)
	}
	timed := p.opts.Timed()
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
	b, err := post.ReadAnswer(listening{resp.Body, p}, readLimit)
	if err != nil {
		return nil, fmt.Errorf("polling: read the answer: %w", err)
	}
	p.mu.Lock()
	p.header, p.opened = resp.Header, p.opts.Now()
	p.stats.Frames++
	p.stats.Bytes += int64(len(b))
	p.mu.Unlock()
	return b, judgeAnswer(resp, b)
}

// judgeAnswer reports whether an answer is one of the service.
func judgeAnswer(resp *http.Response, body []byte) error {
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &graphqlws.UnauthorizedError{Message: post.Status(resp)}
	case resp.StatusCode == http.StatusRequestEntityTooLarge || resp.StatusCode == http.StatusRequestURITooLong:
		return &post.TooLargeError{What: "the request is too large: " + post.Status(resp)}
	case !json.Valid(body):
		if resp.StatusCode == http.StatusOK {
			return errors.New("polling: the answer is not a GraphQL answer; is [rtd] url right?")
		}
		return &graphqlws.HandshakeError{Status: resp.StatusCode}
	}
	return nil
}

// Subprotocol is none.
func (*Conn) Subprotocol() string { return "" }

// Opened is when the newest answer came.
func (p *Conn) Opened() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}

// ResponseHeader is that of the newest answer.
func (p *Conn) ResponseHeader() http.Header {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.header
}

// Stats are what came so far.
func (p *Conn) Stats() graphqlws.Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// present reports whether a member of an object is there and not null, without
// keeping it.
type present bool

// UnmarshalJSON implements [json.Unmarshaler].
func (p *present) UnmarshalJSON(b []byte) error {
	*p = string(b) != "null"
	return nil
}
