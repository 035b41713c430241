package dialect

import (
	"cmp"
	"slices"
	"strings"
)

// A server that hides its schema may refuse a name without suggesting another. The dialect then
// tries common names one after the other. It keeps a name once the server has accepted it.

// triedNames records which common names were tried on a connection.
type triedNames struct {
	roots          map[string]string // subscription root fields being tried, by operation
	rootsTried     map[string]int    // number of root fields tried, by operation
	argumentsTried map[string]int    // number of argument names tried, by operation
}

func newTriedNames() triedNames {
	return triedNames{roots: make(map[string]string), rootsTried: make(map[string]int), argumentsTried: make(map[string]int)}
}

// rootForms lists common forms of the names of subscriptions. The * stands for the name of the
// query.
func rootForms() []string {
	return []string{
		"on*Changed", "*Changed", "*Updated", "on*Updated", "on*", "*Updates", "*Changes", "on*Update", "*Update",
		"watch*", "subscribe*", "*Subscription", "*Stream",
	}
}

func commonArguments() []string {
	return []string{"filters", "where", "input", "criteria", "params", "query"}
}

// applyForm returns form with the * replaced with op, an operation's name, capitalized unless it comes first.
func applyForm(form, op string) string {
	before, after, _ := strings.Cut(form, "*")
	if before != "" {
		op = strings.ToUpper(op[:1]) + op[1:]
	}
	return before + op + after
}

// formOf returns name, the name of a field, with "*" in place of op, the name of an operation. It
// ignores case. It returns "" if name does not contain op.
func formOf(op, name string) string {
	i := strings.Index(strings.ToLower(name), strings.ToLower(op))
	if i < 0 {
		return ""
	}
	return name[:i] + "*" + name[i+len(op):]
}

// nextRoot returns the next root field to try for the subscription of the operation op, or "" if
// all were tried. names holds the root fields learned for other operations; nextRoot tries names of
// the same form first.
func (g *triedNames) nextRoot(op string, names map[string]string) string {
	var all []string
	for other, name := range names {
		if form := formOf(other, name); form != "" {
			all = append(all, applyForm(form, op))
		}
	}
	slices.Sort(all)
	for _, form := range rootForms() {
		all = append(all, applyForm(form, op))
	}
	for _, form := range rootForms() {
		all = append(all, applyForm(form, strings.TrimSuffix(op, "s"))) // the form for the name of a single record, without the plural s
	}
	for g.rootsTried[op] < len(all) {
		name := all[g.rootsTried[op]]
		if g.rootsTried[op]++; name != op && name != g.roots[op] {
			g.roots[op] = name
			return name
		}
	}
	delete(g.roots, op)
	return ""
}

// nextArgument returns the next name to try for the filter argument of the operation op, or "" if
// all were tried.
func (g *triedNames) nextArgument(op string) string {
	all := commonArguments()
	if g.argumentsTried[op] >= len(all) {
		return ""
	}
	g.argumentsTried[op]++
	return all[g.argumentsTried[op]-1]
}

// learnArgument records the first valid name in names as the filter argument of the operation op.
// It reports whether the name is new.
func (p *Profile) learnArgument(op string, names []string) bool {
	before := cmp.Or(p.Arguments[op], defaultFilterArgument)
	for _, name := range names {
		switch {
		case !namePattern().MatchString(name) || len(name) > maxNameLength:
			continue
		case name == before:
			return false
		case name == defaultFilterArgument:
			delete(p.Arguments, op)
		default:
			p.Arguments[op] = name
		}
		return true
	}
	return false
}

// maxNameLength limits the length of a name taken from a server.
const maxNameLength = 64
