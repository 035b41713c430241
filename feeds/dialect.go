package feeds

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"wallboard/feeds/queries"
	"wallboard/feeds/times"
)

// Document 2 leaves open how a server wants to be spoken to. A dialect is what
// the configuration says of it and what was learnt; the rest is as document 2
// shows it.

// Filters says how a filter is sent.
type Filters string

// The ways to send a filter.
const (
	FiltersAuto      Filters = ""          // found out, literals first
	FiltersLiteral   Filters = "literals"  // written into the request, as document 2 shows it
	FiltersVariables Filters = "variables" // as a variable beside it
)

// Dialect pins what document 2 leaves open. What is empty is found out.
type Dialect struct {
	// Roots are subscription root names that differ from the query's.
	Roots   map[string]string
	Filters Filters
	// Lacks are fields that the server does not have, by operation; the path of
	// a field is written with dots.
	Lacks map[string][]string
	// Inside are the members of fields that are objects on this server where
	// document 2 has a single value, by operation, behind the path of the field.
	Inside map[string][]string
	// Types are types of objects that document 2 does not show, by operation,
	// behind the path of the object.
	Types map[string][]string
	// Keyless are the operations whose updates do not say which record they are
	// for.
	Keyless []string
	// MaxKeys is the most keys that a filter may name; 0 is found out.
	MaxKeys int
	// Units are those of times whose unit document 2 does not show.
	Units map[times.Field]times.Unit
	// Zone is the one of instants that come without a zone.
	Zone times.Zone
}

// dialect is how a feed speaks.
type dialect struct {
	pinned   Dialect
	known    Profile
	asked    *serverSchema // the server's, nil until it answered
	dirty    bool          // something was learnt that is not saved
	evidence evidence
	trials   trials
	tried    bool // the other way to send filters was tried on this connection
}

func newDialect(pinned Dialect) *dialect {
	return &dialect{pinned: pinned, known: Profile{}.whole(), evidence: make(evidence)}
}

// learnRoot notes the name of an operation's subscription.
func (d *dialect) learnRoot(op, name string) {
	d.known.Roots[op], d.dirty = name, true
}

// root returns the name of an operation's subscription on this server.
func (d *dialect) root(op string) string {
	for _, roots := range []map[string]string{d.pinned.Roots, d.known.Roots} {
		if name := roots[op]; name != "" {
			return name
		}
	}
	return op
}

// lacks returns the fields of an operation that are not asked for.
func (d *dialect) lacks(op string) []string {
	return slices.Concat(d.pinned.Lacks[op], d.known.Lacks[op])
}

// inside returns the members of the fields that are objects on this server.
func (d *dialect) inside(op string) []string {
	return slices.Concat(d.pinned.Inside[op], d.known.Inside[op])
}

// types returns the types that only this server has.
func (d *dialect) types(op string) []string {
	return slices.Concat(d.pinned.Types[op], d.known.Types[op])
}

// learn notes paths of an operation, and reports whether one is news.
func (d *dialect) learn(known, pinned map[string][]string, op string, paths []string) bool {
	news := false
	for _, p := range paths {
		if !slices.Contains(known[op], p) && !slices.Contains(pinned[op], p) && len(known[op]) < maxLearnt {
			known[op], news = append(known[op], p), true
		}
	}
	slices.Sort(known[op])
	d.dirty = d.dirty || news
	return news
}

// maxLearnt bounds what is learnt of one operation.
const maxLearnt = 256

// keyless reports whether updates of an operation do not say which record they
// are for.
func (d *dialect) keyless(op string) bool {
	return slices.Contains(d.pinned.Keyless, op) || slices.Contains(d.known.Keyless, op)
}

// most is how many keys a filter may name; 0 is no bound.
func (d *dialect) most(op string) int {
	if d.pinned.MaxKeys > 0 {
		return d.pinned.MaxKeys
	}
	return d.known.MaxKeys[op]
}

// variables reports whether filters go as variables.
func (d *dialect) variables() bool {
	if d.pinned.Filters != FiltersAuto {
		return d.pinned.Filters == FiltersVariables
	}
	return d.known.Filters == FiltersVariables
}

// request renders an operation for the server.
func (d *dialect) request(doc *queries.Document, kind, subRoot, filter string) (text string, vars map[string]any, how sent) {
	server := doc.Root
	if kind == queries.KindSubscription {
		server, how.root = subRoot, subRoot
	}
	how.selection = d.selection(doc)
	variable := ""
	if doc.Filtered && d.variables() {
		if b, err := queries.Variable(filter); err == nil {
			variable, filter = "($filter: "+d.filterType(doc)+")", "$filter"
			vars = map[string]any{"filter": json.RawMessage(b)}
			how.size, how.variables = len(b), true
		}
	}
	text = doc.Begin(kind, server, variable, filter)
	how.at = utf8.RuneCountInString(text)
	text += how.selection + " }"
	how.size += len(text)
	return text, vars, how
}

// filterType returns the type of an operation's filter.
func (d *dialect) filterType(doc *queries.Document) string {
	if d.asked != nil {
		if t := d.asked.filters[doc.Root]; t != "" {
			return t
		}
	}
	return doc.Filter
}
