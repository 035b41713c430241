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

// decodeObject decodes a JSON object into the value that into points to. It returns an error
// for null and other values.
func decodeObject(body []byte, into any) error {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return errors.New("it is not a JSON object")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	return nil
}

// objectAnswer decodes an answer that is a single resource.
type objectAnswer[T any] struct{ value T }

func (o *objectAnswer[T]) decode(body []byte) error { return decodeObject(body, &o.value) }

// getObject sends a request whose answer is a resource, and returns the resource.
func getObject[T any](ctx context.Context, s *Session, r request) (T, error) {
	var o objectAnswer[T]
	r.decodeInto = &o
	err := s.send(ctx, r)
	return o.value, err
}

// sameObjectAnswer decodes an answer that should be the resource that was sent or requested. It returns an
// error unless isSame recognizes the resource, because an error object would otherwise be decoded
// as an empty resource. If the answer is false, the error is [ErrActionDeclined].
type sameObjectAnswer[T any] struct {
	expected, received T
	isSame             func(expected, received T) bool
}

func (o *sameObjectAnswer[T]) decode(body []byte) error {
	if string(body) == "false" {
		return ErrActionDeclined
	}
	if err := decodeObject(body, &o.received); err != nil {
		return err
	}
	if !o.isSame(o.expected, o.received) {
		return errors.New("it is a different object")
	}
	return nil
}

// getSameObject sends a request and returns the resource in the answer. expected is the resource that was sent
// or, for a read, a resource with its known fields. isSame reports whether both are the same resource.
func getSameObject[T any](ctx context.Context, s *Session, r request, expected T, isSame func(expected, received T) bool) (T, error) {
	o := sameObjectAnswer[T]{expected: expected, isSame: isSame}
	r.decodeInto = &o
	err := s.send(ctx, r)
	return o.received, err
}

// hasIDOrName reports whether an answer is the requested resource: id is set, which other
// objects do not have, or name is the expected name and not empty.
func hasIDOrName(id *int, name, expected string) bool {
	return id != nil || name != "" && name == expected
}

// lineAnswer decodes an answer that is a single string: a JSON string or plain text, possibly
// empty.
type lineAnswer string

func (a *lineAnswer) decode(body []byte) error {
	body = bytes.TrimSpace(body)
	var s *string
	if json.Unmarshal(body, &s) == nil && s != nil {
		*a = lineAnswer(model.CleanText(*s, model.MaxName))
		return nil
	}
	bare := string(body)
	switch bare {
	case "null":
		bare = ""
	case "true", "false":
		return errors.New("it is not a text")
	}
	if len(bare) > model.MaxName || strings.ContainsAny(bare, "<{[\"") || strings.ContainsFunc(bare, unicode.IsControl) {
		return errors.New("it is not a single line of text")
	}
	*a = lineAnswer(model.CleanText(bare, model.MaxName))
	return nil
}

func (s *Session) getText(ctx context.Context, r request) (string, error) {
	var t lineAnswer
	r.decodeInto = &t
	err := s.send(ctx, r)
	return string(t), err
}

// boolAnswer decodes a yes/no answer: a JSON boolean, with or without quotes.
type boolAnswer bool

func (a *boolAnswer) decode(body []byte) error {
	switch strings.ToLower(strings.Trim(string(bytes.TrimSpace(body)), `"`)) {
	case "true":
		*a = true
	case "false":
		*a = false
	default:
		return errors.New("it is not true or false")
	}
	return nil
}

func (s *Session) getBool(ctx context.Context, r request) (bool, error) {
	var t boolAnswer
	r.decodeInto = &t
	err := s.send(ctx, r)
	return bool(t), err
}

// rawAnswer keeps an answer in a format that document 1 does not show, as valid JSON. An
// answer that is not JSON becomes a JSON string.
type rawAnswer json.RawMessage

func (a *rawAnswer) decode(body []byte) error {
	body = bytes.TrimSpace(body)
	switch {
	case len(body) == 0:
		*a = nil
	case json.Valid(body):
		*a = bytes.Clone(body)
	default:
		quoted, err := json.Marshal(model.CleanText(string(body), model.MaxBody))
		if err != nil {
			return fmt.Errorf("it cannot be kept: %w", err)
		}
		*a = quoted
	}
	return nil
}
