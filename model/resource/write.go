package resource

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// writeResource returns the JSON of a resource: the document from which it was read, with the
// caller's changes applied. Without a changed value, it returns the document unchanged.
func writeResource[T any](r *T) ([]byte, error) {
	return writeObject(reflect.ValueOf(r).Elem()), nil
}

func writeObject(v reflect.Value) []byte {
	raw := rawJSONOf(v)
	all, ok := splitObject(raw)
	if !ok {
		if raw != nil && isEmptyStruct(v) {
			return raw // null, or not an object
		}
		raw = []byte("{}")
	}
	came := valuesByName(all)
	fresh := map[string][]byte{} // changed values by name
	var added []resourceField
	for _, fd := range fieldsOf(v.Type()) {
		value, given := came[fd.name]
		switch {
		case given:
			if now := writeValue(v.Field(fd.index), value, fd.form); !bytes.Equal(now, value) {
				fresh[fd.name] = now
			}
		case !v.Field(fd.index).IsZero():
			added = append(added, fd)
		}
	}
	var out []byte
	at := 0
	for _, m := range all {
		if now, ok := fresh[m.name]; ok {
			out = append(append(out, raw[at:m.valueStart]...), now...)
			at = m.valueEnd
		}
	}
	end := bytes.LastIndexByte(raw, '}')
	out = append(out, raw[at:end]...)
	for i, fd := range added {
		if i > 0 || len(all) > 0 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, fd.name), ':')
		out = append(out, writeValue(v.Field(fd.index), nil, fd.form)...)
	}
	return append(out, raw[end:]...)
}

func isEmptyStruct(v reflect.Value) bool {
	for _, fd := range fieldsOf(v.Type()) {
		if !v.Field(fd.index).IsZero() {
			return false
		}
	}
	return true
}

// writeValue returns raw if v still has the value that was read from raw. Otherwise it returns the
// JSON of v. A nil raw means that v was not read from JSON.
func writeValue(v reflect.Value, raw json.RawMessage, f textForm) []byte {
	if raw != nil {
		original := reflect.New(v.Type()).Elem()
		readValue(raw, original, f)
		if reflect.DeepEqual(original.Interface(), v.Interface()) {
			return raw
		}
	}
	switch p := v.Interface().(type) {
	case Time:
		return p.marshal()
	case json.RawMessage:
		if len(p) == 0 {
			return []byte("null")
		}
		return p
	}
	switch v.Kind() {
	case reflect.Struct:
		return writeObject(v)
	case reflect.Pointer:
		if v.IsNil() {
			return []byte("null")
		}
		return writeValue(v.Elem(), nil, f)
	case reflect.Slice:
		return writeList(v, raw, f)
	case reflect.Map:
		return writeMap(v, raw, f)
	default:
		return scalarJSON(v.Interface())
	}
}

// writeList returns the JSON of a changed list. An unchanged element keeps the JSON in which it was
// received, if its type is comparable.
func writeList(v reflect.Value, raw json.RawMessage, f textForm) []byte {
	original := map[any][]json.RawMessage{}
	if t := v.Type().Elem(); t.Comparable() {
		parts, _ := splitArray(raw)
		for _, part := range parts {
			e := reflect.New(t).Elem()
			readValue(part, e, f)
			original[e.Interface()] = append(original[e.Interface()], part)
		}
	}
	take := func(e reflect.Value) json.RawMessage {
		if len(original) == 0 || len(original[e.Interface()]) == 0 {
			return writeValue(e, nil, f)
		}
		same := original[e.Interface()]
		original[e.Interface()] = same[1:]
		return same[0]
	}
	out := []byte{'['}
	for i := range v.Len() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, take(v.Index(i))...)
	}
	return append(out, ']')
}

// writeMap returns the JSON of a changed map. Unchanged values keep the names and the JSON with
// which they were received.
func writeMap(v reflect.Value, raw json.RawMessage, f textForm) []byte {
	all, _ := splitObject(raw)
	original := map[string]json.RawMessage{} // by name as cleaned
	for _, m := range all {
		original[f.clean(m.name)] = m.value
	}
	out := []byte{'{'}
	add := func(name, value []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, name...), value...)
	}
	for _, m := range all {
		name := f.clean(m.name)
		now := v.MapIndex(reflect.ValueOf(name))
		if !now.IsValid() {
			continue
		}
		value := writeValue(now, original[name], f)
		if bytes.Equal(value, original[name]) {
			value = m.value // two names may be equal after cleaning: keep both values
		}
		add(raw[m.nameStart:m.valueStart], value)
	}
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, name := range names {
		if _, ok := original[name.String()]; !ok {
			add(append(scalarJSON(name.String()), ':'), writeValue(v.MapIndex(name), nil, f))
		}
	}
	return append(out, '}')
}

// scalarJSON returns the JSON of a string, a number or a boolean. It does not escape <, > and &,
// because most other JSON writers do not either.
func scalarJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte("null") // texts, integers and booleans can always be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
