package restclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"wallboard/model/resource"
)

// request is one call of an operation.
type request struct {
	op    resource.Operation // one of the Op constants
	path  []string           // what stands for the {placeholders} of document 1's path, in their order
	query url.Values         // nil: none
	body  any                // goes out as JSON; nil: no body
	// secrets are what must not be repeated in an error, besides the login's.
	secrets []string
	// out takes the answer: a pointer for encoding/json, an answer for what is
	// not always JSON, nil when the answer says nothing.
	out any
}

// answer takes the body of a successful answer as it came, for bodies that may
// not be JSON. An error makes the outcome unknown.
type answer interface {
	decode(body []byte) error
}

// do sends a request and decodes its answer. Every error is an [*Error].
func (c *Client) do(ctx context.Context, r request) error {
	path, err := c.path(ctx, r.op)
	if err != nil {
		return notSent(r.op, err)
	}
	x, err := c.prepare(r, path)
	if err != nil {
		return err
	}
	p, err := c.pass(ctx, r.op)
	if err != nil {
		return notSent(r.op, err)
	}
	re, err := c.sendSomewhere(ctx, x, p)
	c.auth.settle(r.op, p, err)
	if errors.Is(err, ErrUnauthorized) && p.session != "" && r.op.Endpoint().Access == resource.Authenticated {
		re, err = c.sendAgain(ctx, x, p, err)
	}
	switch {
	case c.elsewhereNow(ctx, r.op, err):
		return c.do(ctx, r)
	case err != nil:
		return err
	}
	return re.into(r.out)
}

// sendAgain sends a request that got 401 once more, behind a new login: it was
// not carried out.
func (c *Client) sendAgain(ctx context.Context, x *exchange, old pass, denied error) (*reply, error) {
	p, err := c.newSession(ctx, old.gen)
	switch {
	case errors.Is(err, ErrUnauthorized), errors.Is(err, ErrPasswordExpired), errors.Is(err, ErrRefused):
		var e *Error
		if errors.As(denied, &e) {
			e.Err = fmt.Errorf("%w; logging in again: %w", ErrUnauthorized, err)
		}
		return nil, denied
	case err != nil: // it says nothing about the credentials
		return nil, notSent(x.op, fmt.Errorf("the session is over; logging in again: %w", err))
	}
	re, err := c.sendSomewhere(ctx, x, p)
	c.auth.settle(x.op, p, err)
	c.auth.doubt(p, err)
	return re, err
}

// path returns the path of an operation, its placeholders not filled.
func (c *Client) path(ctx context.Context, op resource.Operation) (string, error) {
	if path, ok := c.paths[op]; ok {
		return path, nil
	}
	o := op.Endpoint()
	if o.Path == "" {
		return "", ErrNoPath
	}
	if o.Newer == "" && !o.Only14 {
		if moved, _ := c.routes.get(finderOf(op)); moved {
			return elsewhere(o.Path), nil
		}
		return o.Path, nil
	}
	edition, err := c.Edition(ctx)
	switch {
	case err != nil:
		return "", fmt.Errorf("the platform's edition: %w", err)
	case edition == Edition102 && o.Only14:
		return "", fmt.Errorf("%w: it is of 1.4.0, the platform of %s", ErrEdition, edition)
	case edition != Edition102 && o.Newer != "":
		return o.Newer, nil
	}
	return o.Path, nil
}

// HasPath reports whether a path is known for an operation, in one edition at
// least.
func (c *Client) HasPath(op resource.Operation) bool {
	return c.paths[op] != "" || op.Endpoint().Path != ""
}

// exchange is a request ready to be sent, more than once if need be.
type exchange struct {
	op      resource.Operation
	url     string
	payload []byte // nil: no body
	secrets []string
}

// prepare makes an exchange of a request. Its errors are NotSent.
func (c *Client) prepare(r request, path string) (*exchange, error) {
	path, err := expand(path, placeholders(r.op.Endpoint().Path), r.path)
	if err != nil {
		return nil, notSent(r.op, err)
	}
	x := &exchange{op: r.op, url: c.base + path, secrets: r.secrets}
	if len(r.query) > 0 {
		x.url += "?" + r.query.Encode()
	}
	if r.body != nil {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r.body); err != nil {
			return nil, notSent(r.op, fmt.Errorf("%w: it cannot be written as JSON", ErrInvalid))
		}
		x.payload = bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	}
	return x, nil
}

// newRequest is the one place where HTTP requests are made.
func (x *exchange) newRequest(ctx context.Context, p pass) (*http.Request, error) {
	var body io.Reader
	if x.payload != nil {
		body = bytes.NewReader(x.payload)
	}
	r, err := http.NewRequestWithContext(ctx, x.op.Endpoint().Method, x.url, body)
	if err != nil {
		return nil, fmt.Errorf("%w: no address can be made of it", ErrInvalid)
	}
	r.GetBody = nil // without it net/http cannot repeat the request
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "wallboard")
	if x.payload != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	p.apply(r)
	return r, nil
}

// send sends an exchange once and reads the answer. An answer other than
// success is an error.
func (c *Client) send(ctx context.Context, x *exchange, p pass) (*reply, error) {
	o := x.op.Endpoint()
	transport, limit := c.transports.of(o)
	if c.timeout > 0 {
		limit = c.timeout
	}
	began := c.now()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	re, err := c.roundTrip(ctx, transport, x, p)
	c.logResult(ctx, x.op, c.now().Sub(began), err)
	return re, err
}

func (c *Client) roundTrip(ctx context.Context, rt http.RoundTripper, x *exchange, p pass) (*reply, error) {
	var t trace
	r, err := x.newRequest(t.watch(ctx), p)
	if err != nil {
		return nil, notSent(x.op, err)
	}
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return nil, died(x.op, &t, err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	return read(x.op, resp, append(c.auth.secrets(p), x.secrets...))
}

func (c *Client) logResult(ctx context.Context, op resource.Operation, took time.Duration, err error) {
	if err == nil {
		c.log.DebugContext(ctx, "rest request", "operation", op, "took", took)
		return
	}
	c.log.InfoContext(ctx, "rest request failed", "operation", op, "took", took, "err", err)
}
