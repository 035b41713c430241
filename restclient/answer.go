package restclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"wallboard/model"
)

// decodeObject decodes a JSON object; null is none.
func decodeObject(body []byte, into any) error {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return errors.New("it is not a JSON object")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	return nil
}

// object is a resource.
type object[T any] struct{ value T }

func (o *object[T]) decode(body []byte) error { return decodeObject(body, &o.value) }

// get sends a request that is answered with a resource.
func get[T any](ctx context.Context, s *Session, r request) (T, error) {
	var o object[T]
	r.out = &o
	err := s.do(ctx, r)
	return o.value, err
}

// one is the resource that a request is about. It has to be recognised: an object
// that tells of an error decodes as a resource, too, an empty one.
type one[T any] struct {
	asked, told T
	same        func(asked, told T) bool
}

func (o *one[T]) decode(body []byte) error {
	if string(body) == "false" {
		return ErrDeclined
	}
	if err := decodeObject(body, &o.told); err != nil {
		return err
	}
	if !o.same(o.asked, o.told) {
		return errors.New("it is something else")
	}
	return nil
}

// getOne sends a request that is answered with the resource that it is about.
func getOne[T any](ctx context.Context, s *Session, r request, asked T, same func(asked, told T) bool) (T, error) {
	o := one[T]{asked: asked, same: same}
	r.out = &o
	err := s.do(ctx, r)
	return o.told, err
}

// recognised reports whether what an answer tells has an id, which nothing else
// has, or at least the name that was asked for.
func recognised(id *int, name, asked string) bool { return id != nil || name != "" && name == asked }

// text is an answer of one text: a JSON string, or just the text. An empty one
// is a text too.
type text string

func (t *text) decode(body []byte) error {
	body = bytes.TrimSpace(body)
	var s *string
	if json.Unmarshal(body, &s) == nil && s != nil {
		*t = text(model.CleanText(*s, model.MaxName))
		return nil
	}
	bare := string(body)
	switch bare {
	case "null":
		bare = ""
	case "true", "false":
		return errors.New("it is no text")
	}
	if len(bare) > model.MaxName || strings.ContainsAny(bare, "<{[\"") || strings.ContainsFunc(bare, unicode.IsControl) {
		return errors.New("it is not a text of one line")
	}
	*t = text(model.CleanText(bare, model.MaxName))
	return nil
}

func (s *Session) text(ctx context.Context, r request) (string, error) {
	var t text
	r.out = &t
	err := s.do(ctx, r)
	return string(t), err
}

// truth is an answer of yes or no: a JSON boolean, with or without quotes.
type truth bool

func (t *truth) decode(body []byte) error {
	switch strings.ToLower(strings.Trim(string(bytes.TrimSpace(body)), `"`)) {
	case "true":
		*t = true
	case "false":
		*t = false
	default:
		return errors.New("it is neither true nor false")
	}
	return nil
}

func (s *Session) truth(ctx context.Context, r request) (bool, error) {
	var t truth
	r.out = &t
	err := s.do(ctx, r)
	return bool(t), err
}

// unshown is an answer whose shape document 1 does not show, as JSON.
type unshown json.RawMessage

func (u *unshown) decode(body []byte) error {
	body = bytes.TrimSpace(body)
	switch {
	case len(body) == 0:
		*u = nil
	case json.Valid(body):
		*u = bytes.Clone(body)
	default:
		quoted, err := json.Marshal(model.CleanText(string(body), model.MaxBody))
		if err != nil {
			return fmt.Errorf("it cannot be kept: %w", err)
		}
		*u = quoted
	}
	return nil
}
