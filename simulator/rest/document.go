package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"strconv"
	"time"
)

// decode reads JSON and keeps numbers as they are written, so that fields that
// nobody knows are given back unchanged.
func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return malformed("the body is not the JSON that is expected here")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return malformed("something follows the body")
	}
	return nil
}

// fields reads the fields of an object and keeps the first that is of the wrong
// type. Null is as good as nothing.
type fields struct {
	object
	err error
}

func field[T any](f *fields, name string) (v T, given bool) {
	raw := f.object[name]
	if raw == nil {
		return v, false
	}
	v, ok := raw.(T)
	if !ok && f.err == nil {
		f.err = malformed(name + " is of another type")
	}
	return v, ok
}

func (f *fields) text(name string) string {
	v, _ := field[string](f, name)
	return v
}

func (f *fields) flag(name string, def bool) bool {
	if v, given := field[bool](f, name); given {
		return v
	}
	return def
}

// integer reads an int32, as all integers of document 1 are.
func (f *fields) integer(name string, def int64) int64 {
	v, given := field[json.Number](f, name)
	if !given {
		return def
	}
	n, err := v.Int64()
	if (err != nil || n < math.MinInt32 || n > math.MaxInt32) && f.err == nil {
		f.err = malformed(name + " is no 32 bit integer")
	}
	return n
}

func (f *fields) time(name string) time.Time {
	text := f.text(name)
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil && f.err == nil {
		f.err = malformed(name + " is no date-time")
	}
	return t
}

func (f *fields) texts(name string) []string {
	list, _ := field[[]any](f, name)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		} else if f.err == nil {
			f.err = malformed(name + " holds something else than strings")
		}
	}
	return out
}

// objects reads an array of objects.
func (f *fields) objects(name string) []*fields {
	list, _ := field[[]any](f, name)
	var out []*fields
	for _, v := range list {
		if o, ok := v.(map[string]any); ok {
			out = append(out, &fields{object: o})
		} else if f.err == nil {
			f.err = malformed(name + " holds something else than objects")
		}
	}
	return out
}

// with returns a copy of o in which the fields of the others replace its own.
func (o object) with(others ...object) object {
	merged := maps.Clone(o)
	if merged == nil {
		merged = object{}
	}
	for _, other := range others {
		maps.Copy(merged, other)
	}
	return merged
}

// digits is a number in a document.
func digits[T ~int | ~int64](n T) json.Number { return json.Number(strconv.FormatInt(int64(n), 10)) }

// integerOf reads a number in a document, 0 when it is none.
func integerOf(v any) int64 {
	text, _ := v.(json.Number)
	n, _ := text.Int64() // 0 when it is none
	return n
}

// plain is a value of a document as text, "" for what has no plain text.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// part reads an object within an object, nil when there is none.
func (f *fields) part(name string) object {
	o, _ := field[map[string]any](f, name)
	return o
}
