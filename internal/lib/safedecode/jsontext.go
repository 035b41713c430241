package safedecode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// EscapeJSON escapes the characters of a JSON document that must not reach a terminal: control
// characters, and characters that hide or reorder text. These characters occur only in JSON
// strings, where the escaped form has the same meaning.
func EscapeJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == '\n' || r != utf8.RuneError && unicode.IsPrint(r):
			out = append(out, b[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[size:]
	}
	return out
}

// JSONCell returns the value at a path in a JSON object, formatted for a table. The path consists of names
// separated by dots; alternatives, of which the first with a value counts, are separated by |.
func JSONCell(row []byte, paths string) string {
	for path := range strings.SplitSeq(paths, "|") {
		value := json.RawMessage(row)
		for name := range strings.SplitSeq(path, ".") {
			var members map[string]json.RawMessage
			if json.Unmarshal(value, &members) != nil {
				members = nil
			}
			value = members[name]
		}
		if text := formatJSON(value); text != "" {
			return text
		}
	}
	return ""
}

// formatJSON formats a JSON value for a table. Strings have no quotes, times are in UTC, and
// bools become yes or no. The elements of a list are joined with commas, but a list of objects
// becomes their number. An object stays JSON. null and a missing value become "".
func formatJSON(value json.RawMessage) string {
	var v any
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return ""
	}
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case map[string]any:
		return string(EscapeJSON(value))
	case []any:
		words := make([]string, len(v))
		for i, e := range v {
			if _, ok := e.(map[string]any); ok {
				return strconv.Itoa(len(v))
			}
			words[i] = fmt.Sprint(e)
		}
		return strings.Join(words, ", ")
	case string:
		if instant, err := time.Parse(time.RFC3339, v); err == nil {
			return instant.UTC().Format("2006-01-02 15:04:05Z")
		}
		return v
	default:
		return fmt.Sprint(v)
	}
}

// JSONFields returns a row with the name and the value of each field of a JSON object, in order and
// without empty values. Objects and lists stay JSON. For other JSON, it returns one row with the value.
func JSONFields(raw []byte) ([][]string, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return [][]string{{formatJSON(raw)}}, nil //nolint:nilerr // a value that is no object is shown alone
	}
	var rows [][]string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("format the result: %w", err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("format the result: %w", err)
		}
		text := formatJSON(value)
		if value[0] == '[' {
			text = string(EscapeJSON(value))
		}
		if text != "" {
			rows = append(rows, []string{fmt.Sprint(name), text})
		}
	}
	if rows == nil {
		rows = [][]string{{"nothing is given"}}
	}
	return rows, nil
}

// MergeJSON returns base with the fields of the JSON object raw replaced. Fields missing in
// raw keep their values.
func MergeJSON[T any](base T, raw []byte) (T, error) {
	if raw == nil {
		return base, nil
	}
	var out T
	if raw[0] != '{' {
		return out, errors.New("it is not a JSON object")
	}
	doc, err := json.Marshal(base)
	if err != nil {
		return out, fmt.Errorf("merge: %w", err)
	}
	members := make(map[string]json.RawMessage)
	for _, b := range [][]byte{doc, raw} {
		if err := json.Unmarshal(b, &members); err != nil {
			return out, fmt.Errorf("merge: %w", err)
		}
	}
	if doc, err = json.Marshal(members); err != nil {
		return out, fmt.Errorf("merge: %w", err)
	}
	if err := json.Unmarshal(doc, &out); err != nil {
		return out, fmt.Errorf("it does not fit: %w", err)
	}
	return out, nil
}
