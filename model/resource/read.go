package resource

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// errNotObject means that a resource is not a JSON object.
var errNotObject = errors.New("resource: not a JSON object")

// readResource parses raw into a resource, which keeps a copy of raw. null is parsed into an empty
// resource.
func readResource[T any](raw []byte, into *T) error {
	if !readObject(bytes.Clone(raw), reflect.ValueOf(into).Elem(), singleLine) {
		return errNotObject
	}
	return nil
}

// readObject sets the struct v from the JSON object raw. A member of a wrong type leaves its field
// empty. readObject returns false if raw is neither an object nor null. A struct that embeds a
// document stores raw in any case. f is the form in which strings are cleaned.
func readObject(raw json.RawMessage, v reflect.Value, f textForm) bool {
	v.SetZero()
	if k, ok := v.Addr().Interface().(rawKeeper); ok {
		k.setRaw(raw)
	}
	if isNull(raw) {
		return true
	}
	all, ok := splitObject(raw)
	if !ok {
		return false
	}
	values := valuesByName(all)
	for _, fd := range fieldsOf(v.Type()) {
		if value, ok := values[fd.name]; ok {
			readValue(value, v.Field(fd.index), fd.textForm(f))
		}
	}
	return true
}

// textForm returns the form in which the field's string is cleaned. f is the form for the resource;
// if f is verbatim, it applies to all fields.
func (fd resourceField) textForm(f textForm) textForm {
	if f == verbatim {
		return verbatim
	}
	return fd.form
}

// readValue sets v from raw. It returns false if a part of raw does not have the type of the
// corresponding part of v. null leaves v empty.
func readValue(raw json.RawMessage, v reflect.Value, f textForm) bool {
	if isNull(raw) {
		v.SetZero()
		return true
	}
	switch p := v.Addr().Interface().(type) {
	case *Time:
		return p.unmarshal(raw)
	case *json.RawMessage:
		*p = raw
		return true
	}
	switch v.Kind() {
	case reflect.Struct:
		return readObject(raw, v, f)
	case reflect.Pointer:
		n := reflect.New(v.Type().Elem())
		ok := readValue(raw, n.Elem(), f)
		if ok {
			v.Set(n)
		}
		return ok
	case reflect.Slice:
		return readList(raw, v, f)
	case reflect.Map:
		return readMap(raw, v, f)
	default:
		return readScalar(raw, v, f)
	}
}

// readList sets the slice v from a JSON array. An element that it cannot read is left empty.
// readList returns false if raw is not an array or if it could not read an element.
func readList(raw json.RawMessage, v reflect.Value, f textForm) bool {
	parts, ok := splitArray(raw)
	if !ok {
		return false
	}
	v.Set(reflect.MakeSlice(v.Type(), len(parts), len(parts)))
	for i, part := range parts {
		ok = readValue(part, v.Index(i), f) && ok
	}
	return ok
}

func readMap(raw json.RawMessage, v reflect.Value, f textForm) bool {
	all, ok := splitObject(raw)
	if !ok {
		return false
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(all)))
	for _, m := range all {
		value := reflect.New(v.Type().Elem()).Elem()
		ok = readValue(m.value, value, f) && ok
		v.SetMapIndex(reflect.ValueOf(f.clean(m.name)), value)
	}
	return ok
}

// readScalar sets v from a JSON string, number or boolean. It converts one type to another if
// nothing is lost, because platforms are not strict about quotes. Otherwise it returns false.
func readScalar(raw json.RawMessage, v reflect.Value, f textForm) bool {
	text, ok := scalarText(raw)
	if !ok {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.clean(text))
	case reflect.Int:
		n, ok := parseInteger(text)
		if !ok {
			return false
		}
		v.SetInt(n)
	case reflect.Bool:
		yes := strings.EqualFold(text, "true")
		if !yes && !strings.EqualFold(text, "false") {
			return false
		}
		v.SetBool(yes)
	default:
		return false
	}
	return true
}

// scalarText returns the content of a JSON string, or the literal of a number, boolean or null. The
// bool result is false for other values.
func scalarText(raw json.RawMessage) (string, bool) {
	switch {
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[':
		return "", false
	case raw[0] != '"':
		return string(raw), true
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// parseInteger parses an integer, which may also be written as 5.0 or 5e0. The bool result is false
// if s is not an integer.
func parseInteger(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53 // above it a float64 cannot hold every integer
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return 0, false
	}
	return int64(f), true
}

// splitArray returns the elements of a JSON array. The bool result is false if raw is not an array.
func splitArray(raw json.RawMessage) ([]json.RawMessage, bool) {
	var parts []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &parts) != nil {
		return nil, false
	}
	return parts, true
}

func isNull(raw []byte) bool { return string(raw) == "null" }
