package dialect

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"wallboard/feeds/queries"
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// Document 2 leaves several details of requests open. A dialect combines what
// the configuration pins and what was learnt about them; the defaults are those
// of document 2.

// FilterForm is the form in which filters are sent.
type FilterForm string

// The ways to send a filter.
const (
	FiltersAuto      FilterForm = ""          // detected, literals first
	FiltersLiteral   FilterForm = "literals"  // written into the request, as in document 2
	FiltersVariables FilterForm = "variables" // sent as a variable
)

// Pinned holds the configured values of details that document 2 leaves open.
// Empty values are detected.
type Pinned struct {
	// Roots are subscription root fields that differ from the query's.
	Roots   map[string]string
	Filters FilterForm
	// MissingFields lists the fields that the server does not have, by operation, as
	// dotted paths.
	MissingFields map[string][]string
	// ObjectMembers lists members of fields that are objects on this server but single
	// values in document 2, by operation, as paths.
	ObjectMembers map[string][]string
	// Types lists object types that document 2 does not show, by operation, as
	// the path of the object and the type.
	Types map[string][]string
	// Keyless lists the operations whose updates do not say which record they
	// are for.
	Keyless []string
	// MaxKeys is the maximum number of keys in a filter; 0: detected.
	MaxKeys int
	// Units holds the units of times for which document 2 shows none.
	Units map[timeunit.Field]timeunit.Unit
	// LongestWait is the meaning of maxTimeCallOnQueue; [model.WaitAsSent]:
	// detected.
	LongestWait model.WaitMeaning
	// Zone is the time zone of times sent without one.
	Zone timeunit.Zone
	// Argument is the name of the filter argument; "": detected.
	Argument string
}

// Dialect describes how to talk to one server.
type Dialect struct {
	// Times detects the units in which the server sends times.
	Times *timeunit.Learner

	pinned            Pinned
	profile           Profile
	schema            *serverSchema // the server's schema; nil until received
	hasUnsavedChanges bool          // unsaved changes
	evidence          evidence
	trials            trials
	guesses           guesses
	filtersSwitched   bool // the other way to send filters was tried on this connection
}

// New returns a dialect that knows only what is pinned.
func New(pinned Pinned) *Dialect {
	return &Dialect{
		Times:  timeunit.New(pinned.Units, pinned.Zone),
		pinned: pinned, profile: Profile{}.clone(), evidence: make(evidence), guesses: newGuesses(),
	}
}

// learnRoot sets the root field of an operation's subscription.
func (d *Dialect) learnRoot(op, name string) {
	d.profile.Roots[op], d.hasUnsavedChanges = name, true
}

// Root returns the root field of an operation's subscription on this server.
func (d *Dialect) Root(op string) string {
	for _, roots := range []map[string]string{d.pinned.Roots, d.profile.Roots, d.guesses.roots} {
		if name := roots[op]; name != "" {
			return name
		}
	}
	return op
}

// MissingFields returns the fields of an operation that are left out.
func (d *Dialect) MissingFields(op string) []string {
	return slices.Concat(d.pinned.MissingFields[op], d.profile.MissingFields[op])
}

// objectMembers returns the members of the fields that are objects on this server.
func (d *Dialect) objectMembers(op string) []string {
	return slices.Concat(d.pinned.ObjectMembers[op], d.profile.ObjectMembers[op])
}

// Types returns the types that document 2 does not show.
func (d *Dialect) Types(op string) []string {
	return slices.Concat(d.pinned.Types[op], d.profile.Types[op])
}

// learnPaths adds paths to the known fields of an operation and reports whether any path is new.
func (d *Dialect) learnPaths(known, pinned map[string][]string, op string, paths []string) bool {
	isNew := false
	for _, p := range paths {
		if !slices.Contains(known[op], p) && !slices.Contains(pinned[op], p) && len(known[op]) < maxLearntPaths {
			known[op], isNew = append(known[op], p), true
		}
	}
	slices.Sort(known[op])
	d.hasUnsavedChanges = d.hasUnsavedChanges || isNew
	return isNew
}

// maxLearntPaths limits how many paths are learnt per operation.
const maxLearntPaths = 256

// IsKeyless reports whether updates of an operation do not say which record they
// are for.
func (d *Dialect) IsKeyless(op string) bool {
	return slices.Contains(d.pinned.Keyless, op) || slices.Contains(d.profile.Keyless, op)
}

// MaxKeys returns the maximum number of keys in a filter; 0 means no limit.
func (d *Dialect) MaxKeys(op string) int {
	if d.pinned.MaxKeys > 0 {
		return d.pinned.MaxKeys
	}
	return d.profile.MaxKeys[op]
}

// usesVariables reports whether filters are sent as variables.
func (d *Dialect) usesVariables() bool {
	if d.pinned.Filters != FiltersAuto {
		return d.pinned.Filters == FiltersVariables
	}
	return d.profile.Filters == FiltersVariables
}

// Request renders an operation for the server. subRoot is the root field if the
// operation is a subscription.
func (d *Dialect) Request(doc *queries.Document, kind, subRoot, filter string) (text string, vars map[string]any, sent Sent) {
	server := doc.Root
	if kind == queries.KindSubscription {
		server, sent.Root = subRoot, subRoot
	}
	sent.selection = d.selection(doc)
	variable := ""
	if doc.Filtered && d.usesVariables() {
		if b, err := queries.VariableJSON(filter); err == nil {
			variable, filter = "($filter: "+d.filterType(doc)+")", "$filter"
			vars = map[string]any{"filter": json.RawMessage(b)}
			sent.Size, sent.usesVariables = len(b), true
		}
	}
	names := queries.ServerNames{Root: server, Argument: cmp.Or(d.pinned.Argument, d.profile.Arguments[doc.Root]), NoAlias: d.profile.NoAliases}
	if sent.withoutAliases = names.NoAlias; doc.Filtered {
		sent.argument = cmp.Or(names.Argument, defaultFilterArgument)
	}
	text = doc.RenderHead(names, kind, variable, filter)
	sent.offset = utf8.RuneCountInString(text)
	text += sent.selection + " }"
	sent.Size += len(text)
	return text, vars, sent
}

// filterType returns the type of an operation's filter.
func (d *Dialect) filterType(doc *queries.Document) string {
	if d.schema != nil {
		if t := d.schema.filterTypes[doc.Root]; t != "" {
			return t
		}
	}
	return doc.FilterType
}

// HalveMaxKeys limits filters to half the keys of a refused one. It returns false if
// that is impossible.
func (d *Dialect) HalveMaxKeys(op string, keys int) bool {
	if keys < 2 || d.pinned.MaxKeys > 0 {
		return false
	}
	d.profile.MaxKeys[op], d.hasUnsavedChanges = keys/2, true
	return true
}

// Subprotocol returns the sub-protocol that has to be offered alone, "" if none
// is known.
func (d *Dialect) Subprotocol() string { return d.profile.Subprotocol }

// ResetConnection resets what belongs to one connection.
func (d *Dialect) ResetConnection() {
	d.trials.id, d.filtersSwitched, d.guesses = "", false, newGuesses()
}

// CountLastingSession records that a session lasted. offeredAlone is the sub-protocol that
// was offered alone, "" if all were offered.
func (d *Dialect) CountLastingSession(offeredAlone string) {
	if offeredAlone != "" {
		if d.evidence.countSupport(claim{kind: claimOfferedAlone, detail: offeredAlone}) && d.profile.Subprotocol != offeredAlone {
			d.profile.Subprotocol, d.hasUnsavedChanges = offeredAlone, true
		}
		return
	}
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimOfferedAlone })
	if d.profile.Subprotocol != "" {
		d.profile.Subprotocol, d.hasUnsavedChanges = "", true
	}
}

// CountLengthAccepted records that a session lasted with requests of the present
// length.
func (d *Dialect) CountLengthAccepted() {
	if c := (claim{kind: claimTooLong}); d.evidence[c] < EnoughEvidence {
		d.evidence.countContradiction(c)
	}
}

// CountConnectionBroken records that a connection ended, perhaps because of a long request,
// and reports whether to believe that.
func (d *Dialect) CountConnectionBroken() bool {
	return !d.trials.failKeysTrial() && d.evidence.countSupport(claim{kind: claimTooLong})
}

// CountSubscriptionRefused counts a refusal of a subscription whose query was
// answered and reports whether to believe it.
func (d *Dialect) CountSubscriptionRefused(op string) bool {
	return d.evidence.countSupport(claim{kind: claimSubscriptionRefused, op: op})
}

// NextRoot returns another root field for a subscription that was refused: the
// server's suggestion, unless it belongs to another operation; or document 2's
// name if a learnt name was refused; or a guess. It returns "" if there is
// none.
func (d *Dialect) NextRoot(op, refused string, suggested []string) string {
	name := suggestedRoot(op, suggested)
	switch {
	case d.pinned.Roots[op] != "":
		return ""
	case name != "" && name != refused:
		d.learnRoot(op, name)
		return name
	case d.profile.Roots[op] != "" && refused == d.profile.Roots[op]:
		delete(d.profile.Roots, op)
		d.hasUnsavedChanges = true
		return op
	}
	return d.guesses.nextRoot(op, d.profile.Roots)
}

// SwitchFilterForm switches between literals and variables. It returns false if the form is
// pinned or was already switched on this connection.
func (d *Dialect) SwitchFilterForm() bool {
	if d.pinned.Filters != FiltersAuto || d.filtersSwitched {
		return false
	}
	d.filtersSwitched, d.hasUnsavedChanges = true, true
	if d.usesVariables() {
		d.profile.Filters = FiltersLiteral
	} else {
		d.profile.Filters = FiltersVariables
	}
	return true
}

// IsOutdated reports whether an operation was sent before something relevant was
// learnt. root is the present root field of the subscription.
func (d *Dialect) IsOutdated(doc *queries.Document, sent Sent, root string) bool {
	maxKeys := d.MaxKeys(doc.Root)
	argument := ""
	if doc.Filtered {
		argument = cmp.Or(d.pinned.Argument, d.profile.Arguments[doc.Root], defaultFilterArgument)
	}
	return sent.argument != argument || sent.withoutAliases != d.profile.NoAliases || sent.usesVariables != (doc.Filtered && d.usesVariables()) || maxKeys > 0 && sent.Keys > maxKeys ||
		sent.Root != root && sent.Root != "" || !sent.Selects(doc, d)
}

// CountUnkeyed counts an update that did not say which record it is for. It reports
// whether to believe that no update does, and whether that is new.
func (d *Dialect) CountUnkeyed(op string) (believed, isNew bool) {
	if c := (claim{kind: claimKeyless, op: op}); !d.evidence.countSupport(c) && !d.IsKeyless(op) {
		return false, false
	}
	if d.IsKeyless(op) {
		return true, false
	}
	d.profile.Keyless, d.hasUnsavedChanges = append(d.profile.Keyless, op), true
	return true, true
}

// NoteKeyedUpdate counts an update that said which records it is for and reports whether
// the contrary belief is dropped.
func (d *Dialect) NoteKeyedUpdate(op string) bool {
	if !d.evidence.countContradiction(claim{kind: claimKeyless, op: op}) || !slices.Contains(d.profile.Keyless, op) {
		return false
	}
	d.profile.Keyless = slices.DeleteFunc(d.profile.Keyless, func(o string) bool { return o == op })
	d.hasUnsavedChanges = true
	return true
}
