package dialect

import (
	"cmp"
	"slices"
	"strings"
)

// A server that hides its schema may say that it does not know a name, and not which
// one it has. Then the names that servers commonly have are tried, one after the
// other. A guess is believed when the server has taken it.

// guesses are the names that are tried on a connection.
type guesses struct {
	roots     map[string]string // names of subscriptions that are being tried, by operation
	tried     map[string]int    // how many were
	arguments map[string]int    // how many names of the argument that carries the filter were
}

func newGuesses() guesses {
	return guesses{roots: make(map[string]string), tried: make(map[string]int), arguments: make(map[string]int)}
}

// rootForms are common forms of a subscription's name. The * stands for the name of
// the query.
func rootForms() []string {
	return []string{
		"on*Changed", "*Changed", "*Updated", "on*Updated", "on*", "*Updates", "*Changes", "on*Update", "*Update",
		"watch*", "subscribe*", "*Subscription", "*Stream",
	}
}

// commonArguments are common names of the argument that carries a filter.
func commonArguments() []string {
	return []string{"filters", "where", "input", "criteria", "params", "query"}
}

// inForm returns the name of an operation in a form.
func inForm(form, op string) string {
	before, after, _ := strings.Cut(form, "*")
	if before != "" {
		op = strings.ToUpper(op[:1]) + op[1:]
	}
	return before + op + after
}

// formOf returns the form that a name of an operation has, "" for none.
func formOf(op, name string) string {
	i := strings.Index(strings.ToLower(name), strings.ToLower(op))
	if i < 0 {
		return ""
	}
	return name[:i] + "*" + name[i+len(op):]
}

// root returns the next name to try for an operation's subscription, "" when all
// were tried. names are those that are known of other operations.
func (g *guesses) root(op string, names map[string]string) string {
	var all []string
	for other, name := range names {
		if form := formOf(other, name); form != "" {
			all = append(all, inForm(form, op))
		}
	}
	slices.Sort(all)
	for _, form := range rootForms() {
		all = append(all, inForm(form, op))
	}
	for _, form := range rootForms() {
		all = append(all, inForm(form, strings.TrimSuffix(op, "s"))) // of one record
	}
	for g.tried[op] < len(all) {
		name := all[g.tried[op]]
		if g.tried[op]++; name != op && name != g.roots[op] {
			g.roots[op] = name
			return name
		}
	}
	delete(g.roots, op)
	return ""
}

// argument returns the next name to try for the argument of an operation that carries
// the filter, "" when all were tried.
func (g *guesses) argument(op string) string {
	all := commonArguments()
	if g.arguments[op] >= len(all) {
		return ""
	}
	g.arguments[op]++
	return all[g.arguments[op]-1]
}

// learnArgument notes the name of the argument of an operation that carries the
// filter: the first of some that can be one. It reports whether that is news.
func (p *Profile) learnArgument(op string, names []string) bool {
	before := cmp.Or(p.Arguments[op], filterArgument)
	for _, name := range names {
		switch {
		case !graphqlName.MatchString(name) || len(name) > maxName:
			continue
		case name == before:
			return false
		case name == filterArgument:
			delete(p.Arguments, op)
		default:
			p.Arguments[op] = name
		}
		return true
	}
	return false
}

// maxName bounds the length of a name that is taken over from a server.
const maxName = 64
