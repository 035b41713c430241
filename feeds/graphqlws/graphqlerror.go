package graphqlws

import (
	"encoding/json"
	"fmt"
	"strings"
)

// GraphQLError is one error of the server. Document 2 does not show the shape
// of an error element (section Errors), so it is read leniently.
type GraphQLError struct {
	Message string // as the server sent it, at most 1 KiB
	Code    string // UNAUTHORIZED is the only one documented; empty when there is none
	Path    string // of the field in the answer, with dots and without indices; only what failed while it was executed has one
	Field   string // that the extensions name
	Column  int    // where in a request of one line it is, in characters from 1; 0 when that is not said
}

// Error implements error.
func (e GraphQLError) Error() string {
	if e.Code == "" || strings.Contains(e.Message, e.Code) {
		return e.Message
	}
	return e.Message + " (" + e.Code + ")"
}

const (
	maxErrors       = 16
	maxErrorMessage = 1 << 10
	unauthorized    = "UNAUTHORIZED"
)

// ParseErrors reads the errors member of a result or the payload of an error
// message: a list, one object or a text. It returns at least one element.
func ParseErrors(raw []byte) []GraphQLError {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		v = nil
	}
	errs := collectErrors(v, nil, 0)
	if len(errs) == 0 {
		errs = []GraphQLError{{Message: "the server gave no reason"}}
	}
	return errs
}

// collectErrors appends the errors found in a decoded value. Lists and an
// "errors" member (Hasura wraps its error payload) may nest a little.
func collectErrors(v any, errs []GraphQLError, depth int) []GraphQLError {
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
			e.Column, e.Path = column(v), path(v)
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

func objectError(m map[string]any) GraphQLError {
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

func newError(message, code string) GraphQLError {
	if code == "" && strings.Contains(message, unauthorized) {
		code = unauthorized
	}
	return GraphQLError{Message: truncate(message, maxErrorMessage), Code: truncate(code, maxReason)}
}

// path reads where in the answer an error is.
func path(m map[string]any) string {
	list, _ := m["path"].([]any)
	var names []string
	for _, e := range list[:min(len(list), maxPath)] {
		if name, ok := e.(string); ok {
			names = append(names, truncate(name, maxReason))
		}
	}
	return strings.Join(names, ".")
}

// maxPath is the most steps of a path that are read.
const maxPath = 16

// column reads the place of an error in the request.
func column(m map[string]any) int {
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

// firstText returns the first of the members that is a text or a number.
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

// Reasons renders the errors of a message as one line; their shape is not
// documented.
func Reasons(raw []byte) string {
	var lines []string
	for _, e := range ParseErrors(raw) {
		lines = append(lines, e.Message)
	}
	if len(lines) == 0 {
		return "no reason given"
	}
	return strings.Join(lines, "; ")
}
