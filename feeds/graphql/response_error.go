package graphql

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Error is an error reported by the server. Document 2 does not show the format of an error
// (section Errors), so the parser is lenient.
type Error struct {
	Message string // as sent by the server, at most 1 KiB
	Code    string // only UNAUTHORIZED is documented; "" if none
	Path    string // path of the field in the answer, joined with dots, without indices; only execution errors have one
	Field   string // name of the field in the error's extensions
	Column  int    // position of the error in a one-line request, in characters counted from 1; 0 if unknown
}

// Error implements error.
func (e Error) Error() string {
	if e.Code == "" || strings.Contains(e.Message, e.Code) {
		return e.Message
	}
	return e.Message + " (" + e.Code + ")"
}

// Limits on how much of an error is read.
const (
	maxErrors       = 16
	maxErrorMessage = 1 << 10 // bytes
)

// ParseErrors parses the errors member of a result or the payload of an error
// message: a list, an object or a string. It returns at least one element.
func ParseErrors(raw []byte) []Error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		v = nil
	}
	errs := collectErrors(v, nil, 0)
	if len(errs) == 0 {
		errs = []Error{{Message: "the server gave no reason"}}
	}
	return errs
}

// collectErrors appends the errors in v, a decoded JSON value, to errs and returns the result. It
// accepts lists and "errors" members nested a few levels deep, because Hasura wraps its errors.
// depth is the current level.
func collectErrors(v any, errs []Error, depth int) []Error {
	if depth > 3 || len(errs) >= maxErrors {
		return errs
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			errs = collectErrors(e, errs, depth+1)
		}
	case map[string]any:
		if inner, ok := v["errors"]; ok {
			if nested := collectErrors(inner, errs, depth+1); len(nested) > len(errs) {
				return nested
			}
		}
		if e := objectError(v); e.Message != "" {
			e.Column, e.Path = errorColumn(v), errorPath(v)
			extensions, _ := v["extensions"].(map[string]any)
			e.Field = firstText(extensions, "field", "fieldName")
			errs = append(errs, e)
		}
	case string:
		if v != "" {
			errs = append(errs, newError(v, ""))
		}
	}
	return errs
}

func objectError(m map[string]any) Error {
	extensions, _ := m["extensions"].(map[string]any)
	code := firstText(extensions, "code", "errorCode")
	if code == "" {
		code = firstText(m, "code", "errorCode")
	}
	message := firstText(m, "message", "error", "reason")
	if message == "" {
		message = code
	}
	if message == "" && len(m) > 0 {
		if b, err := json.Marshal(m); err == nil {
			message = string(b)
		}
	}
	return newError(message, code)
}

func newError(message, code string) Error {
	if code == "" && strings.Contains(message, codeUnauthorized) {
		code = codeUnauthorized
	}
	return Error{Message: truncate(message, maxErrorMessage), Code: truncate(code, maxReasonLength)}
}

// errorPath returns the path of the field that an error concerns: names joined with dots, without
// the indices of list elements.
func errorPath(m map[string]any) string {
	list, _ := m["path"].([]any)
	var names []string
	for _, e := range list[:min(len(list), maxPathElements)] {
		if name, ok := e.(string); ok {
			names = append(names, truncate(name, maxReasonLength))
		}
	}
	return strings.Join(names, ".")
}

// maxPathElements limits how many elements of an error's path are read.
const maxPathElements = 16

// errorColumn returns the column of an error in a one-line request, or 0 if the column is unknown.
func errorColumn(m map[string]any) int {
	list, _ := m["locations"].([]any)
	if len(list) == 0 {
		return 0
	}
	place, _ := list[0].(map[string]any)
	line, _ := place["line"].(float64)
	col, _ := place["column"].(float64)
	if line != 1 || col < 1 || col > 1<<30 {
		return 0
	}
	return int(col)
}

// firstText returns, as a string, the first of the given members of m that is a non-empty string or
// a number. It returns "" if there is none.
func firstText(m map[string]any, keys ...string) string {
	for _, k := range keys {
		switch v := m[k].(type) {
		case string:
			if v != "" {
				return v
			}
		case float64:
			return fmt.Sprint(v)
		}
	}
	return ""
}

// ErrorMessages returns the messages of the errors in raw, joined with "; ". raw is as in [ParseErrors].
func ErrorMessages(raw []byte) string {
	var lines []string
	for _, e := range ParseErrors(raw) {
		lines = append(lines, e.Message)
	}
	return strings.Join(lines, "; ")
}
