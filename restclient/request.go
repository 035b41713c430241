package restclient

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"wallboard/model/resource"
)

// request is a call of an operation.
type request struct {
	op    resource.Operation // one of the Op constants
	path  []string           // values for the {placeholders} of document 1's path, in order
	query url.Values         // nil: none
	body  any                // sent as JSON; nil: no body
	// secrets are strings of this request that errors must not contain, in addition to the
	// secrets of the login.
	secrets []string
	// decodeInto receives the answer: a pointer for encoding/json, an answer for bodies that may
	// not be JSON, or nil to ignore it.
	decodeInto any
}

// answer decodes the raw body of a successful answer, for bodies that may not be JSON. An error
// other than [ErrActionDeclined] makes the outcome unknown.
type answer interface {
	decode(body []byte) error
}

// send sends a request and decodes its answer. All errors are of type [*Error].
func (s *Session) send(ctx context.Context, r request) error {
	path, err := s.pathOf(ctx, r.op)
	if err != nil {
		return notSentError(r.op, err)
	}
	x, err := s.sender.prepare(r, path)
	if err != nil {
		return err
	}
	p, err := s.credentialsFor(ctx, r.op)
	if err != nil {
		return notSentError(r.op, err)
	}
	re, err := s.sendToRoute(ctx, x, p)
	s.auth.recordResult(r.op, p, err)
	if errors.Is(err, ErrUnauthorized) && p.session != "" && r.op.Endpoint().Access == resource.AccessAuthenticated {
		re, err = s.sendAfterLogin(ctx, x, p, err)
	}
	switch {
	case s.detectMovedPath(ctx, r.op, err):
		return s.send(ctx, r)
	case err != nil:
		return err
	}
	return re.decode(r.decodeInto)
}

// sendAfterLogin handles a request that the platform answered with 401 and did not execute. It
// logs in and sends the request again. old and denied are the credentials and the error of the
// first attempt.
func (s *Session) sendAfterLogin(ctx context.Context, x *preparedRequest, old credentials, denied error) (*reply, error) {
	p, err := s.newSession(ctx, old.generation)
	switch {
	case errors.Is(err, ErrUnauthorized), errors.Is(err, ErrPasswordExpired), errors.Is(err, ErrCredentialsRefused):
		var e *Error
		if errors.As(denied, &e) {
			e.Err = fmt.Errorf("%w; new login: %w", ErrUnauthorized, err)
		}
		return nil, denied
	case err != nil: // the error says nothing about the credentials
		return nil, notSentError(x.op, fmt.Errorf("the session has ended; new login: %w", err))
	}
	re, err := s.sendToRoute(ctx, x, p)
	s.auth.recordResult(x.op, p, err)
	s.auth.recordSecondRefusal(p, err)
	return re, err
}

// pathOf returns the path of an operation, with placeholders. If the path depends on the
// platform's edition, pathOf requests the edition from the platform if needed.
func (s *Session) pathOf(ctx context.Context, op resource.Operation) (string, error) {
	if path, ok := s.paths[op]; ok {
		return path, nil
	}
	o := op.Endpoint()
	if o.Path == "" {
		return "", ErrNoPath
	}
	if o.Path140 == "" && !o.Since140 {
		if moved, _ := s.movedPaths.get(pathSearchOf(op)); moved {
			return movedPathOf(o.Path), nil
		}
		return o.Path, nil
	}
	edition, err := s.Edition(ctx)
	switch {
	case err != nil:
		return "", fmt.Errorf("the platform's edition: %w", err)
	case edition == Edition102 && o.Since140:
		return "", fmt.Errorf("%w: it needs 1.4.0, the platform has %s", ErrUnsupportedEdition, edition)
	case edition != Edition102 && o.Path140 != "":
		return o.Path140, nil
	}
	return o.Path, nil
}

// HasPath reports whether a path for an operation is configured, or known in at least one edition.
func (s *Session) HasPath(op resource.Operation) bool {
	return s.paths[op] != "" || op.Endpoint().Path != ""
}
