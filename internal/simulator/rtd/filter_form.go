package rtd

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/internal/simulator/webservice"
)

// filterKeyMembers returns the names of the filter members that list keys of records.
func filterKeyMembers() []string {
	return []string{"services", "groups", "users", "userProfiles", "campaigns"}
}

// countKeys returns the number of record keys in the literal value v of a filter.
func countKeys(v *ast.Value) int {
	n := 0
	for _, c := range v.Children {
		if slices.Contains(filterKeyMembers(), c.Name) && c.Value.Kind == ast.ListValue {
			n += len(c.Value.Children)
			continue
		}
		n += countKeys(c.Value)
	}
	return n
}

// countVariableKeys returns the number of record keys in v, the value of a variable.
func countVariableKeys(v any) int {
	n := 0
	m, _ := v.(map[string]any)
	for name, e := range m {
		if list, ok := e.([]any); ok && slices.Contains(filterKeyMembers(), name) {
			n += len(list)
			continue
		}
		n += countVariableKeys(e)
	}
	return n
}

// filterRefusal returns the reason to reject a request because of its filter, or "".
func (s Switches) filterRefusal(doc requestSummary, variables map[string]any) string {
	keys := doc.literalKeys
	for _, v := range variables {
		keys += countVariableKeys(v)
	}
	switch {
	case s.Filters == FiltersLiteral && doc.hasVariables:
		return "Bad request: only the field query is understood"
	case s.Filters == FiltersVariables && doc.hasLiteralFilter:
		return "Argument filter: pass the value as a variable"
	case s.MaxFilterKeys > 0 && keys > s.MaxFilterKeys:
		return fmt.Sprintf("the filter names %d keys, at most %d are allowed", keys, s.MaxFilterKeys)
	}
	return ""
}

// answerUpgrade handles a WebSocket upgrade request in the way that [Switches.Upgrade]
// selects. It returns true if the upgrade may proceed. Otherwise it has answered the request,
// except with UpgradeStripped: the caller must then answer like a plain GET.
func (s *Service) answerUpgrade(w http.ResponseWriter) bool {
	switch s.opts.Switches.Upgrade {
	case UpgradePasses:
		return true
	case UpgradeRefused:
		http.Error(w, http.StatusText(http.StatusUpgradeRequired), http.StatusUpgradeRequired)
	case UpgradeNoRoute:
		http.Error(w, http.StatusText(http.StatusBadGateway), http.StatusBadGateway)
	case UpgradeCut:
		if h, ok := w.(http.Hijacker); ok {
			if conn, _, err := h.Hijack(); err == nil {
				webservice.Abort(conn)
			}
		}
	case UpgradeStripped: // answer as for a plain GET
	}
	return false
}

// withoutFields removes fields from a schema. missing holds the fields in the form Type.field.
func withoutFields(sdl string, missing []string) (string, error) {
	var errs []error
	for _, m := range missing {
		typ, field, ok := strings.Cut(m, ".")
		before, rest, found := splitAtType(sdl, typ)
		body, after, _ := strings.Cut(rest, "}")
		switch {
		case !found:
			errs = append(errs, fmt.Errorf("missing field %q: the schema has no such type", m))
		case !ok:
			errs = append(errs, fmt.Errorf("missing field %q: want Type.field", m))
		default:
			lines := strings.SplitAfter(oneFieldPerLine(body), "\n")
			remaining := slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
				name, _, _ := strings.Cut(strings.TrimSpace(l), ":")
				name, _, _ = strings.Cut(name, "(")
				return name == field
			})
			if len(remaining) == len(lines) {
				errs = append(errs, fmt.Errorf("missing field %q: the type has no such field", m))
			}
			sdl = before + strings.Join(remaining, "") + "}" + after
		}
	}
	return sdl, errors.Join(errs...)
}

// splitAtType splits a schema after the opening brace of the type typ. found is false if the
// schema has no such type.
func splitAtType(sdl, typ string) (before, after string, found bool) {
	i := strings.Index(sdl, "\ntype "+typ+" ")
	if i < 0 {
		return sdl, "", false
	}
	brace := i + strings.IndexByte(sdl[i:], '{') + 1
	return sdl[:brace], sdl[brace:], true
}

// oneFieldPerLine returns the body of a type with each field on its own line.
func oneFieldPerLine(body string) string {
	if strings.Contains(body, "\n") {
		return body
	}
	words := strings.Fields(body) // the body is one line: name: Type name: Type
	var b strings.Builder
	for i, w := range words {
		if b.WriteString(w); i%2 == 1 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
