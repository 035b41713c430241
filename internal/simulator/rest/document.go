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

// decodeBody parses JSON into v. It keeps the notation of numbers, because unknown fields must
// be returned unchanged.
func decodeBody(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return malformedError("the body is not valid JSON for this operation")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return malformedError("unexpected data after the body")
	}
	return nil
}

// fieldReader reads the fields of a JSON object. err is the first error about the type or the
// value of a field. A null field counts as missing.
type fieldReader struct {
	object
	err error
}

// fieldAs returns the value of a field as a T. isSet is false if the field is missing or has
// another type; in the latter case, fieldAs also sets f.err.
func fieldAs[T any](f *fieldReader, name string) (v T, isSet bool) {
	raw := f.object[name]
	if raw == nil {
		return v, false
	}
	v, ok := raw.(T)
	if !ok && f.err == nil {
		f.err = malformedError(name + " has the wrong type")
	}
	return v, ok
}

func (f *fieldReader) text(name string) string {
	v, _ := fieldAs[string](f, name)
	return v
}

func (f *fieldReader) flag(name string, def bool) bool {
	if v, isSet := fieldAs[bool](f, name); isSet {
		return v
	}
	return def
}

// integer reads an int32, the integer type of document 1. It returns def if the field is missing.
func (f *fieldReader) integer(name string, def int64) int64 {
	v, isSet := fieldAs[json.Number](f, name)
	if !isSet {
		return def
	}
	n, err := v.Int64()
	if (err != nil || n < math.MinInt32 || n > math.MaxInt32) && f.err == nil {
		f.err = malformedError(name + " is not a 32-bit integer")
	}
	return n
}

func (f *fieldReader) time(name string) time.Time {
	text := f.text(name)
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil && f.err == nil {
		f.err = malformedError(name + " is not a date-time")
	}
	return t
}

func (f *fieldReader) texts(name string) []string {
	list, _ := fieldAs[[]any](f, name)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		} else if f.err == nil {
			f.err = malformedError(name + " must contain only strings")
		}
	}
	return out
}

// objects reads a field that is an array of objects.
func (f *fieldReader) objects(name string) []*fieldReader {
	list, _ := fieldAs[[]any](f, name)
	var out []*fieldReader
	for _, v := range list {
		if o, ok := v.(map[string]any); ok {
			out = append(out, &fieldReader{object: o})
		} else if f.err == nil {
			f.err = malformedError(name + " must contain only objects")
		}
	}
	return out
}

// mergedWith returns a copy of o with the fields of others added. A field of others replaces a field
// of o with the same name.
func (o object) mergedWith(others ...object) object {
	merged := maps.Clone(o)
	if merged == nil {
		merged = object{}
	}
	for _, other := range others {
		maps.Copy(merged, other)
	}
	return merged
}

// jsonNumber returns n as a JSON number.
func jsonNumber[T ~int | ~int64](n T) json.Number {
	return json.Number(strconv.FormatInt(int64(n), 10))
}

// integerOf returns v as an integer, or 0 if v is not an integer.
func integerOf(v any) int64 {
	text, _ := v.(json.Number)
	n, _ := text.Int64() // 0 if text is not an integer
	return n
}

// scalarText returns a scalar value as a string, or "" for other values.
func scalarText(v any) string {
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

// nestedObject reads a field that is an object. It returns nil if the field is missing.
func (f *fieldReader) nestedObject(name string) object {
	o, _ := fieldAs[map[string]any](f, name)
	return o
}
