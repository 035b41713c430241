package history

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"wallboard/model/contact"
)

// pendingQuery is a query that one caller sends and that other callers may wait for.
type pendingQuery struct {
	done  chan struct{}
	value json.RawMessage
	err   error
}

// answersByQuery maps the text of each query to its answer.
type answersByQuery map[string]json.RawMessage

// fetch returns the answers to fields, in the same order. It uses cached answers, and the
// answers to identical queries in progress. It requests the remaining answers from the
// platform with as few requests as possible.
func (c *Client) fetch(ctx context.Context, fields ...rootField) ([]json.RawMessage, error) {
	known := make(answersByQuery)
	for todo := fields; len(todo) > 0; {
		missing, theirs := c.claimQueries(todo, known)
		if err := c.request(ctx, missing, known); err != nil {
			return nil, err
		}
		todo = nil
		for f, fl := range theirs {
			select {
			case <-fl.done:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			switch {
			case fl.err == nil:
				known[f.text] = fl.value
			case isCallerError(fl.err):
				todo = append(todo, f) // the caller that sent the query was canceled, so send it again
			default:
				return nil, fl.err
			}
		}
	}
	list := make([]json.RawMessage, len(fields))
	for i, f := range fields {
		list[i] = known[f.text]
	}
	return list, nil
}

// isCallerError reports whether an error concerns only the caller that sent the query, for
// example because the caller's context ended.
func isCallerError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrBudgetExhausted)
}

// claimQueries adds cached answers to known. It returns the fields that the caller must request,
// without duplicates, and the pending queries of the fields that other callers are requesting.
func (c *Client) claimQueries(fields []rootField, known answersByQuery) (missing []rootField, others map[rootField]*pendingQuery) {
	c.mu.Lock()
	defer c.mu.Unlock()
	others = make(map[rootField]*pendingQuery)
	mine := make(map[string]bool)
	for _, f := range fields {
		if mine[f.text] {
			continue
		}
		if other := c.pending[f.text]; other != nil {
			others[f] = other
			continue
		}
		if value, ok := c.cache.get(f.text); ok {
			known[f.text] = value
			continue
		}
		mine[f.text] = true
		c.pending[f.text] = &pendingQuery{done: make(chan struct{})}
		missing = append(missing, f)
	}
	return missing, others
}

// request requests fields claimed by this caller, and adds the answers to known. When it
// returns, the pending queries of these fields have ended.
func (c *Client) request(ctx context.Context, fields []rootField, known answersByQuery) error {
	told, total := contact.ProgressOf(ctx), len(fields)
	tell := func(wait time.Duration) {
		told(contact.Progress{Read: total - len(fields), Total: total, Wait: wait})
	}
	for len(fields) > 0 {
		tell(0)
		n := min(len(fields), c.maxFields())
		data, err := c.transport.request(ctx, renderDocument(fields[:n]), tell)
		if err != nil && n > 1 && c.reduceBatch(err, n) {
			continue
		}
		for i, f := range fields[:n] {
			value, ok := data[alias(i)]
			if !ok && err == nil {
				err = &Error{Err: ErrInvalidAnswer}
			}
			if err == nil {
				known[f.text] = value
				if f.form.matches(value) { // do not cache invalid answers
					c.cache.put(f.text, value, c.lifetime(f), f.secret)
				}
			}
		}
		err = withOperation(err, fields[0].op)
		c.finishQueries(fields[:n], known, err)
		if err != nil {
			c.finishQueries(fields[n:], nil, err)
			return err
		}
		fields = fields[n:]
	}
	return nil
}

// withOperation returns err with its operation set to op, unless it already has an operation
// or is not an [*Error].
func withOperation(err error, op string) error {
	var e *Error
	if errors.As(err, &e) && e.Operation == "" {
		named := *e
		named.Operation = op
		return &named
	}
	return err
}

// finishQueries ends the pending queries of fields. The callers that wait for them get the
// answers or err.
func (c *Client) finishQueries(fields []rootField, known answersByQuery, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range fields {
		fl := c.pending[f.text]
		fl.value, fl.err = known[f.text], err
		close(fl.done)
		delete(c.pending, f.text)
	}
}

// maxFields returns the maximum number of fields per request.
func (c *Client) maxFields() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.batchSize
}

// reduceBatch reduces the number of fields per request after a request with n fields has
// failed. It returns false if a smaller number would not help.
func (c *Client) reduceBatch(err error, n int) bool {
	if !errors.Is(err, ErrRefused) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrInvalidAnswer) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n <= c.batchSize {
		c.batchSize = max(n/10, 1)
		c.log.Info("reducing the number of fields per request", "fields", c.batchSize)
	}
	return true
}

// Lifetimes of cached answers.
const (
	currentLifetime = time.Minute
	dayLifetime     = 24 * time.Hour
	noExpiry        = 0              // the answer never expires
	lateMargin      = 24 * time.Hour // how long after its end a period may still get new contacts
)

// lifetime returns how long the answer to f may be cached.
func (c *Client) lifetime(f rootField) time.Duration {
	now := c.now()
	switch {
	case f.period == contact.Range{}, f.period.To.After(now.Add(-lateMargin)):
		return currentLifetime
	case f.period.To.After(contact.StartOfMonth(now.In(c.location), 0)), f.period.To.After(contact.StartOfMonth(now.UTC(), 0)):
		return dayLifetime
	}
	return noExpiry
}
