package restclient

import (
	"context"
	"errors"
	"fmt"
	"net/url"

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
func (s *Session) do(ctx context.Context, r request) error {
	path, err := s.path(ctx, r.op)
	if err != nil {
		return notSent(r.op, err)
	}
	x, err := s.wire.prepare(r, path)
	if err != nil {
		return err
	}
	p, err := s.pass(ctx, r.op)
	if err != nil {
		return notSent(r.op, err)
	}
	re, err := s.sendSomewhere(ctx, x, p)
	s.auth.settle(r.op, p, err)
	if errors.Is(err, ErrUnauthorized) && p.session != "" && r.op.Endpoint().Access == resource.Authenticated {
		re, err = s.sendAgain(ctx, x, p, err)
	}
	switch {
	case s.elsewhereNow(ctx, r.op, err):
		return s.do(ctx, r)
	case err != nil:
		return err
	}
	return re.into(r.out)
}

// sendAgain sends a request that got 401 once more, behind a new login: it was
// not carried out.
func (s *Session) sendAgain(ctx context.Context, x *exchange, old pass, denied error) (*reply, error) {
	p, err := s.newSession(ctx, old.gen)
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
	re, err := s.sendSomewhere(ctx, x, p)
	s.auth.settle(x.op, p, err)
	s.auth.doubt(p, err)
	return re, err
}

// path returns the path of an operation, its placeholders not filled.
func (s *Session) path(ctx context.Context, op resource.Operation) (string, error) {
	if path, ok := s.paths[op]; ok {
		return path, nil
	}
	o := op.Endpoint()
	if o.Path == "" {
		return "", ErrNoPath
	}
	if o.Newer == "" && !o.Only14 {
		if moved, _ := s.routes.get(finderOf(op)); moved {
			return elsewhere(o.Path), nil
		}
		return o.Path, nil
	}
	edition, err := s.Edition(ctx)
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
func (s *Session) HasPath(op resource.Operation) bool {
	return s.paths[op] != "" || op.Endpoint().Path != ""
}
