package feeds

import (
	"encoding/json"
	"maps"
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

// halve lowers the bound of the keys in one filter below what was refused.
func (d *dialect) halve(op string, keys int) bool {
	if keys < 2 || d.pinned.MaxKeys > 0 {
		return false
	}
	d.known.MaxKeys[op], d.dirty = keys/2, true
	return true
}

// subprotocol returns the one that has to be offered alone, "" where none is
// known.
func (d *dialect) subprotocol() string { return d.known.Subprotocol }

// connects notes that there is a new connection.
func (d *dialect) connects() { d.trials.id, d.tried = "", false }

// lasted notes that a session has lasted: alone is the sub-protocol that was
// offered for it without another, "" where all were.
func (d *dialect) lasted(alone string) {
	if alone != "" {
		if d.evidence.speaksFor(claim{kind: claimAlone, what: alone}) && d.known.Subprotocol != alone {
			d.known.Subprotocol, d.dirty = alone, true
		}
		return
	}
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimAlone })
	if d.known.Subprotocol != "" {
		d.known.Subprotocol, d.dirty = "", true
	}
}

// bearsLength notes that a session has lasted with requests as long as they are.
func (d *dialect) bearsLength() {
	if c := (claim{kind: claimTooLong}); d.evidence[c] < enough {
		d.evidence.speaksAgainst(c)
	}
}

// breaksOff notes that a connection ended for which a long request may be to
// blame, and reports whether that is to be believed.
func (d *dialect) breaksOff() bool {
	return !d.trials.tooLong() && d.evidence.speaksFor(claim{kind: claimTooLong})
}

// refusesSubscription counts that an operation's subscription was refused while its
// query was answered, and reports whether that is to be believed.
func (d *dialect) refusesSubscription(op string) bool {
	return d.evidence.speaksFor(claim{kind: claimMute, op: op})
}

// otherRoot finds another name for a subscription whose name is refused: the one
// that the server suggests, unless that is another operation's, or document 2's
// own again where a name that was learnt is refused. It returns "" for none.
func (d *dialect) otherRoot(op, refused string, meant []string) string {
	name := suggested(op, meant)
	switch {
	case d.pinned.Roots[op] != "":
		return ""
	case name != "" && name != refused:
		d.learnRoot(op, name)
		return name
	case d.known.Roots[op] != "" && refused == d.known.Roots[op]:
		delete(d.known.Roots, op)
		d.dirty = true
		return op
	}
	return ""
}

// otherFilters sends filters the other way, once per connection.
func (d *dialect) otherFilters() bool {
	if d.pinned.Filters != FiltersAuto || d.tried {
		return false
	}
	d.tried, d.dirty = true, true
	if d.variables() {
		d.known.Filters = FiltersLiteral
	} else {
		d.known.Filters = FiltersVariables
	}
	return true
}

// outdated reports whether an operation was sent before something was learnt.
// root is the subscription's name now.
func (d *dialect) outdated(doc *queries.Document, how sent, root string) bool {
	most := d.most(doc.Root)
	return how.variables != (doc.Filtered && d.variables()) || most > 0 && how.keys > most ||
		how.root != root && how.root != "" || how.selection != d.selection(doc)
}

// unkeyed counts an update that did not say which record it is for. It reports
// whether it is believed that none does, and whether that is new.
func (d *dialect) unkeyed(op string) (believed, news bool) {
	if c := (claim{kind: claimKeyless, op: op}); !d.evidence.speaksFor(c) && !d.keyless(op) {
		return false, false
	}
	if d.keyless(op) {
		return true, false
	}
	d.known.Keyless, d.dirty = append(d.known.Keyless, op), true
	return true, true
}

// keyed counts an update that said which records it is for, and reports whether
// the belief that none does is given up.
func (d *dialect) keyed(op string) bool {
	if !d.evidence.speaksAgainst(claim{kind: claimKeyless, op: op}) || !slices.Contains(d.known.Keyless, op) {
		return false
	}
	d.known.Keyless = slices.DeleteFunc(d.known.Keyless, func(o string) bool { return o == op })
	d.dirty = true
	return true
}
