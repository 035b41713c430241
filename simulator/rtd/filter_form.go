package rtd

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/simulator/wire"
)

// keyMembers are the members of document 2's filters that name records.
func keyMembers() []string {
	return []string{"services", "groups", "users", "userProfiles", "campaigns"}
}

// countKeys returns how many keys a filter names that is written out.
func countKeys(v *ast.Value) int {
	n := 0
	for _, c := range v.Children {
		if slices.Contains(keyMembers(), c.Name) && c.Value.Kind == ast.ListValue {
			n += len(c.Value.Children)
			continue
		}
		n += countKeys(c.Value)
	}
	return n
}

// countVariableKeys returns how many keys the value of a variable names.
func countVariableKeys(v any) int {
	n := 0
	m, _ := v.(map[string]any)
	for name, e := range m {
		if list, ok := e.([]any); ok && slices.Contains(keyMembers(), name) {
			n += len(list)
			continue
		}
		n += countVariableKeys(e)
	}
	return n
}

// refuseFilter says what is wrong with the form of a request's filter, "" when
// nothing is.
func (s Switches) refuseFilter(doc document, variables map[string]any) string {
	keys := doc.keys
	for _, v := range variables {
		keys += countVariableKeys(v)
	}
	switch {
	case s.Filters == FiltersLiteral && doc.variables:
		return "Bad request: only the field query is understood"
	case s.Filters == FiltersVariables && doc.literals:
		return "Argument filter: pass the value as a variable"
	case s.MaxFilterKeys > 0 && keys > s.MaxFilterKeys:
		return fmt.Sprintf("the filter names %d keys, at most %d are allowed", keys, s.MaxFilterKeys)
	}
	return ""
}

// upgrade does what the switches say with a request to upgrade, and tells
// whether it is to be served.
func (s *Service) upgrade(w http.ResponseWriter) bool {
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
				wire.Abort(conn)
			}
		}
	case UpgradeStripped: // it goes on as a plain request
	}
	return false
}

// withoutFields takes fields out of a schema, each written as Type.field.
func withoutFields(sdl string, missing []string) (string, error) {
	var errs []error
	for _, m := range missing {
		typ, field, ok := strings.Cut(m, ".")
		before, rest, found := cutType(sdl, typ)
		body, after, _ := strings.Cut(rest, "}")
		switch {
		case !found:
			errs = append(errs, fmt.Errorf("missing field %q: the schema has no such type", m))
		case !ok:
			errs = append(errs, fmt.Errorf("missing field %q: want Type.field", m))
		default:
			lines := strings.SplitAfter(spread(body), "\n")
			kept := slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
				name, _, _ := strings.Cut(strings.TrimSpace(l), ":")
				name, _, _ = strings.Cut(name, "(")
				return name == field
			})
			if len(kept) == len(lines) {
				errs = append(errs, fmt.Errorf("missing field %q: the type has no such field", m))
			}
			sdl = before + strings.Join(kept, "") + "}" + after
		}
	}
	return sdl, errors.Join(errs...)
}

// cutType cuts a schema behind the brace that opens a type.
func cutType(sdl, typ string) (before, after string, found bool) {
	i := strings.Index(sdl, "\ntype "+typ+" ")
	if i < 0 {
		return sdl, "", false
	}
	brace := i + strings.IndexByte(sdl[i:], '{') + 1
	return sdl[:brace], sdl[brace:], true
}

// spread writes the fields of a type one to a line.
func spread(body string) string {
	if strings.Contains(body, "\n") {
		return body
	}
	words := strings.Fields(body) // name: Type name: Type
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
