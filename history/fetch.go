package history

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"wallboard/model/past"
)

// flight is a question that is being asked.
type flight struct {
	done  chan struct{}
	value json.RawMessage
	err   error
}

// answers are the answers to fields by their texts.
type answers map[string]json.RawMessage

// fetch returns the answers to fields, in their order: from the cache, from
// whoever asks the same already, or from the platform in as few requests as it
// bears.
func (c *Client) fetch(ctx context.Context, fields ...field) ([]json.RawMessage, error) {
	known := make(answers)
	for todo := fields; len(todo) > 0; {
		missing, theirs := c.claim(todo, known)
		if err := c.fly(ctx, missing, known); err != nil {
			return nil, err
		}
		todo = nil
		for f, fl := range theirs {
			select {
			case <-fl.done:
			case <-ctx.Done():
				return nil, ctx.Err() //nolint:wrapcheck // the caller's own
			}
			switch {
			case fl.err == nil:
				known[f.text] = fl.value
			case ended(fl.err):
				todo = append(todo, f) // whoever asked gave up
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

// ended reports whether an error is that of the asker's context, and nobody
// else's.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrBudget)
}

// claim adds what the cache has to known, and returns the fields that the
// caller must ask for, each once, and those that are being asked for.
func (c *Client) claim(fields []field, known answers) (missing []field, theirs map[field]*flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	theirs = make(map[field]*flight)
	mine := make(map[string]bool)
	for _, f := range fields {
		if mine[f.text] {
			continue
		}
		if other := c.flights[f.text]; other != nil {
			theirs[f] = other
			continue
		}
		if value, ok := c.cache.get(f.text); ok {
			known[f.text] = value
			continue
		}
		mine[f.text] = true
		c.flights[f.text] = &flight{done: make(chan struct{})}
		missing = append(missing, f)
	}
	return missing, theirs
}

// fly asks for the claimed fields and adds their answers to known. All of them
// have landed when it returns.
func (c *Client) fly(ctx context.Context, fields []field, known answers) error {
	told, total := past.ProgressOf(ctx), len(fields)
	tell := func(wait time.Duration) {
		told(past.Progress{Read: total - len(fields), Total: total, Wait: wait})
	}
	for len(fields) > 0 {
		tell(0)
		n := min(len(fields), c.bears())
		data, err := c.wire.ask(ctx, aliased(fields[:n]), tell)
		if err != nil && n > 1 && c.smaller(err, n) {
			continue
		}
		for i, f := range fields[:n] {
			value, ok := data[alias(i)]
			if !ok && err == nil {
				err = &Error{Err: ErrAnswer}
			}
			if err == nil {
				known[f.text] = value
				if f.form.fits(value) { // else nothing would mend it but to clear the cache
					c.cache.put(f.text, value, c.keep(f), f.secret)
				}
			}
		}
		err = about(err, fields[0].op)
		c.land(fields[:n], known, err)
		if err != nil {
			c.land(fields[n:], nil, err)
			return err
		}
		fields = fields[n:]
	}
	return nil
}

// about names the operation that an error is about.
func about(err error, op string) error {
	var e *Error
	if errors.As(err, &e) && e.Operation == "" {
		named := *e
		named.Operation = op
		return &named
	}
	return err
}

// land ends the flights of fields.
func (c *Client) land(fields []field, known answers, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range fields {
		fl := c.flights[f.text]
		fl.value, fl.err = known[f.text], err
		close(fl.done)
		delete(c.flights, f.text)
	}
}

// bears returns how many fields a request may have.
func (c *Client) bears() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.batch
}

// smaller makes requests smaller when that may be what was wrong with one of n
// fields.
func (c *Client) smaller(err error, n int) bool {
	if !errors.Is(err, ErrRefused) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrAnswer) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n <= c.batch {
		c.batch = max(n/10, 1)
		c.log.Info("the platform is asked for less at a time", "fields", c.batch)
	}
	return true
}

// How long answers are kept.
const (
	keepNow   = time.Minute
	keepDay   = 24 * time.Hour
	keepFor   = 0              // for good
	entersFor = 24 * time.Hour // contacts that are over may still be entered
)

// keep returns how long the answer of a field is kept.
func (c *Client) keep(f field) time.Duration {
	now := c.now()
	switch {
	case f.within == past.Range{}, f.within.To.After(now.Add(-entersFor)):
		return keepNow
	case f.within.To.After(past.StartOfMonth(now.In(c.loc), 0)), f.within.To.After(past.StartOfMonth(now.UTC(), 0)):
		return keepDay
	}
	return keepFor
}
