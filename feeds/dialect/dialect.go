package dialect

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"wallboard/feeds/queries"
	"wallboard/feeds/times"
	"wallboard/model"
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

// Pinned is what the configuration says of what document 2 leaves open. What is
// empty is found out.
type Pinned struct {
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
	// LongestWait is what maxTimeCallOnQueue means; [model.WaitAsSent] is found out.
	LongestWait model.WaitMeaning
	// Zone is the one of instants that come without a zone.
	Zone times.Zone
	// Argument is the name of the argument that carries a filter; "" is found out.
	Argument string
}

// Dialect is how a feed speaks.
type Dialect struct {
	// Times knows in which units the server tells times.
	Times *times.Learner

	pinned   Pinned
	known    Profile
	asked    *serverSchema // the server's, nil until it answered
	dirty    bool          // something was learnt that is not saved
	evidence evidence
	trials   trials
	guesses  guesses
	tried    bool // the other way to send filters was tried on this connection
}

// New returns a dialect of which nothing is known but what is pinned.
func New(pinned Pinned) *Dialect {
	return &Dialect{
		Times:  times.New(pinned.Units, pinned.Zone),
		pinned: pinned, known: Profile{}.whole(), evidence: make(evidence), guesses: newGuesses(),
	}
}

// learnRoot notes the name of an operation's subscription.
func (d *Dialect) learnRoot(op, name string) {
	d.known.Roots[op], d.dirty = name, true
}

// Root returns the name of an operation's subscription on this server.
func (d *Dialect) Root(op string) string {
	for _, roots := range []map[string]string{d.pinned.Roots, d.known.Roots, d.guesses.roots} {
		if name := roots[op]; name != "" {
			return name
		}
	}
	return op
}

// Lacks returns the fields of an operation that are not asked for.
func (d *Dialect) Lacks(op string) []string {
	return slices.Concat(d.pinned.Lacks[op], d.known.Lacks[op])
}

// inside returns the members of the fields that are objects on this server.
func (d *Dialect) inside(op string) []string {
	return slices.Concat(d.pinned.Inside[op], d.known.Inside[op])
}

// Types returns the types that only this server has.
func (d *Dialect) Types(op string) []string {
	return slices.Concat(d.pinned.Types[op], d.known.Types[op])
}

// learn notes paths of an operation, and reports whether one is news.
func (d *Dialect) learn(known, pinned map[string][]string, op string, paths []string) bool {
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

// Keyless reports whether updates of an operation do not say which record they
// are for.
func (d *Dialect) Keyless(op string) bool {
	return slices.Contains(d.pinned.Keyless, op) || slices.Contains(d.known.Keyless, op)
}

// Most is how many keys a filter may name; 0 is no bound.
func (d *Dialect) Most(op string) int {
	if d.pinned.MaxKeys > 0 {
		return d.pinned.MaxKeys
	}
	return d.known.MaxKeys[op]
}

// variables reports whether filters go as variables.
func (d *Dialect) variables() bool {
	if d.pinned.Filters != FiltersAuto {
		return d.pinned.Filters == FiltersVariables
	}
	return d.known.Filters == FiltersVariables
}

// Request renders an operation for the server.
func (d *Dialect) Request(doc *queries.Document, kind, subRoot, filter string) (text string, vars map[string]any, how Sent) {
	server := doc.Root
	if kind == queries.KindSubscription {
		server, how.Root = subRoot, subRoot
	}
	how.selection = d.selection(doc)
	variable := ""
	if doc.Filtered && d.variables() {
		if b, err := queries.Variable(filter); err == nil {
			variable, filter = "($filter: "+d.filterType(doc)+")", "$filter"
			vars = map[string]any{"filter": json.RawMessage(b)}
			how.Size, how.variables = len(b), true
		}
	}
	names := queries.Spelling{Root: server, Argument: cmp.Or(d.pinned.Argument, d.known.Arguments[doc.Root]), Plain: d.known.NoAliases}
	if how.plain = names.Plain; doc.Filtered {
		how.argument = cmp.Or(names.Argument, filterArgument)
	}
	text = doc.BeginAs(names, kind, variable, filter)
	how.at = utf8.RuneCountInString(text)
	text += how.selection + " }"
	how.Size += len(text)
	return text, vars, how
}

// filterType returns the type of an operation's filter.
func (d *Dialect) filterType(doc *queries.Document) string {
	if d.asked != nil {
		if t := d.asked.filters[doc.Root]; t != "" {
			return t
		}
	}
	return doc.Filter
}

// Halve lowers the bound of the keys in one filter below what was refused.
func (d *Dialect) Halve(op string, keys int) bool {
	if keys < 2 || d.pinned.MaxKeys > 0 {
		return false
	}
	d.known.MaxKeys[op], d.dirty = keys/2, true
	return true
}

// Subprotocol returns the one that has to be offered alone, "" where none is
// known.
func (d *Dialect) Subprotocol() string { return d.known.Subprotocol }

// Connects notes that there is a new connection.
func (d *Dialect) Connects() { d.trials.id, d.tried, d.guesses = "", false, newGuesses() }

// Lasted notes that a session has lasted: alone is the sub-protocol that was
// offered for it without another, "" where all were.
func (d *Dialect) Lasted(alone string) {
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

// BearsLength notes that a session has lasted with requests as long as they are.
func (d *Dialect) BearsLength() {
	if c := (claim{kind: claimTooLong}); d.evidence[c] < Enough {
		d.evidence.speaksAgainst(c)
	}
}

// BreaksOff notes that a connection ended for which a long request may be to
// blame, and reports whether that is to be believed.
func (d *Dialect) BreaksOff() bool {
	return !d.trials.tooLong() && d.evidence.speaksFor(claim{kind: claimTooLong})
}

// RefusesSubscription counts that an operation's subscription was refused while its
// query was answered, and reports whether that is to be believed.
func (d *Dialect) RefusesSubscription(op string) bool {
	return d.evidence.speaksFor(claim{kind: claimMute, op: op})
}

// OtherRoot finds another name for a subscription whose name is refused: the one
// that the server suggests, unless that is another operation's, or document 2's
// own again where a name that was learnt is refused. It returns "" for none.
func (d *Dialect) OtherRoot(op, refused string, meant []string) string {
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
	return d.guesses.root(op, d.known.Roots)
}

// OtherFilters sends filters the other way, once per connection.
func (d *Dialect) OtherFilters() bool {
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

// Outdated reports whether an operation was sent before something was learnt.
// root is the subscription's name now.
func (d *Dialect) Outdated(doc *queries.Document, how Sent, root string) bool {
	most := d.Most(doc.Root)
	argument := ""
	if doc.Filtered {
		argument = cmp.Or(d.pinned.Argument, d.known.Arguments[doc.Root], filterArgument)
	}
	return how.argument != argument || how.plain != d.known.NoAliases || how.variables != (doc.Filtered && d.variables()) || most > 0 && how.Keys > most ||
		how.Root != root && how.Root != "" || how.selection != d.selection(doc)
}

// Unkeyed counts an update that did not say which record it is for. It reports
// whether it is believed that none does, and whether that is new.
func (d *Dialect) Unkeyed(op string) (believed, news bool) {
	if c := (claim{kind: claimKeyless, op: op}); !d.evidence.speaksFor(c) && !d.Keyless(op) {
		return false, false
	}
	if d.Keyless(op) {
		return true, false
	}
	d.known.Keyless, d.dirty = append(d.known.Keyless, op), true
	return true, true
}

// Keyed counts an update that said which records it is for, and reports whether
// the belief that none does is given up.
func (d *Dialect) Keyed(op string) bool {
	if !d.evidence.speaksAgainst(claim{kind: claimKeyless, op: op}) || !slices.Contains(d.known.Keyless, op) {
		return false
	}
	d.known.Keyless = slices.DeleteFunc(d.known.Keyless, func(o string) bool { return o == op })
	d.dirty = true
	return true
}
