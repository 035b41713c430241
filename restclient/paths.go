package restclient

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wallboard/model/resource"
)

// segmentPattern matches a segment of a configured path: plain text, or a placeholder in braces.
var segmentPattern = regexp.MustCompile(`^([A-Za-z0-9._~-]+|\{[A-Za-z]+\})$`)

// placeholders returns the names of the {placeholders} in a path, in order.
func placeholders(path string) []string {
	var names []string
	for s := range strings.SplitSeq(path, "/") {
		if name, ok := placeholder(s); ok {
			names = append(names, name)
		}
	}
	return names
}

func placeholder(segment string) (name string, ok bool) {
	if inner, ok := strings.CutPrefix(segment, "{"); ok {
		return strings.CutSuffix(inner, "}")
	}
	return "", false
}

// checkPaths returns the problems of the configured paths, sorted by operation.
func checkPaths(paths map[resource.Operation]string) []error {
	var errs []error
	for _, op := range slices.Sorted(maps.Keys(paths)) {
		if err := checkPath(op, paths[op]); err != nil {
			errs = append(errs, fmt.Errorf("path of %q: %w", op, err))
		}
	}
	return errs
}

func checkPath(op resource.Operation, path string) error {
	if !op.Known() {
		var names []string
		for _, o := range resource.Operations() {
			names = append(names, string(o))
		}
		return fmt.Errorf("there is no such operation; the operations are %s", strings.Join(names, ", "))
	}
	rest, ok := strings.CutPrefix(path, "/rest/")
	if !ok {
		return errors.New("it must begin with /rest/")
	}
	for s := range strings.SplitSeq(rest, "/") {
		if isDotSegment(s) || !segmentPattern.MatchString(s) {
			return fmt.Errorf("%q cannot be part of a path", s)
		}
	}
	names := placeholders(op.Endpoint().Path)
	want, got := slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(placeholders(path)))
	switch {
	case slices.Equal(want, got):
		return nil
	case len(names) == 0:
		return errors.New("it must have no placeholders")
	}
	return fmt.Errorf("it must have these placeholders: {%s}", strings.Join(names, "}, {"))
}

// fillPath returns path with its placeholders replaced with escaped values. names are the
// placeholders of the path in document 1, in the order of values. In path, the placeholders
// may be in another order.
func fillPath(path string, names, values []string) (string, error) {
	if len(names) != len(values) {
		return "", fmt.Errorf("%w: the path needs %d ids, not %d", ErrInvalidRequest, len(names), len(values))
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		name, ok := placeholder(s)
		if !ok {
			continue
		}
		value := values[slices.Index(names, name)]
		if !isSafeSegment(value) {
			return "", fmt.Errorf("%w: %s cannot be part of an address", ErrInvalidRequest, name)
		}
		segments[i] = url.PathEscape(value)
	}
	return strings.Join(segments, "/"), nil
}

// isSafeSegment reports whether a value remains a single segment of a path when escaped. Servers
// and proxies unescape a path before they resolve dots, so ..%2Fx would lead to another path. A
// value with control characters is also unsafe, because IDs do not contain them.
func isSafeSegment(value string) bool {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
		return false
	}
	pieces := strings.FieldsFunc(value, func(r rune) bool { return r == '/' || r == '\\' || r == ';' })
	return len(pieces) > 0 && !slices.ContainsFunc(pieces, isDotSegment)
}

func isDotSegment(segment string) bool { return segment == "." || segment == ".." }
