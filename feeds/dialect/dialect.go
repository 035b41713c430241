package dialect

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"wallboard/feeds/graphql"
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// Document 2 leaves several details of requests open. For each detail, a dialect uses the value
// that the configuration pins, or else the value learned from the server, or else the form shown in
// document 2.

// FilterForm is a form in which filters can be sent.
type FilterForm string

// The forms of filters.
const (
	FiltersAuto      FilterForm = ""          // detected, literals first
	FiltersLiteral   FilterForm = "literals"  // written into the request, as in document 2
	FiltersVariables FilterForm = "variables" // sent as a variable
)

// PinnedValues holds the configured values of details that document 2 leaves open. Details that are not
// set are detected.
type PinnedValues struct {
	// Roots holds subscription root fields that differ from the name of the query, by operation.
	Roots   map[string]string
	Filters FilterForm
	// MissingFields lists the fields that the server does not have, as dotted paths, by operation.
	MissingFields map[string][]string
	// ObjectMembers lists fields that are single values in document 2 but objects on this server.
	// By operation, it holds the path of the member to request for each such field.
	ObjectMembers map[string][]string
	// Types lists object types that document 2 does not show, by operation. An element is the path
	// of the object, if any, followed by the type.
	Types map[string][]string
	// Keyless lists the operations whose updates do not say which record they concern.
	Keyless []string
	// MaxKeys is the maximum number of keys in a filter. 0 means that the maximum is detected.
	MaxKeys int
	// Units holds the units of times for which document 2 shows none.
	Units map[timeunit.Field]timeunit.Unit
	// LongestWait is the meaning of maxTimeCallOnQueue. If it is [model.WaitAsSent], the meaning is
	// detected.
	LongestWait model.WaitMeaning
	// Zone is the time zone of times that the server sends without a zone.
	Zone timeunit.Zone
	// Argument is the name of the filter argument. If it is empty, the name is detected.
	Argument string
}

// Dialect describes how one server expects requests and how it sends data.
type Dialect struct {
	// Times detects the units in which the server sends times.
	Times *timeunit.Learner

	pinned            PinnedValues
	profile           Profile
	schema            *serverSchema // the server's schema; nil until received
	hasUnsavedChanges bool          // the profile has changes that were not saved
	evidence          evidence
	trials            trials
	triedNames        triedNames
	filtersSwitched   bool // the other form of filters was tried on this connection
}

// New returns a dialect that knows only the pinned details.
func New(pinned PinnedValues) *Dialect {
	return &Dialect{
		Times:  timeunit.New(pinned.Units, pinned.Zone),
		pinned: pinned, profile: Profile{}.clone(), evidence: make(evidence), triedNames: newTriedNames(),
	}
}

// learnRoot records name in the profile as the root field of the subscription of the operation op.
func (d *Dialect) learnRoot(op, name string) {
	d.profile.Roots[op], d.hasUnsavedChanges = name, true
}

// Root returns the root field of an operation's subscription on this server: the pinned, learned or
// guessed one, or else the name of the operation.
func (d *Dialect) Root(op string) string {
	for _, roots := range []map[string]string{d.pinned.Roots, d.profile.Roots, d.triedNames.roots} {
		if name := roots[op]; name != "" {
			return name
		}
	}
	return op
}

// MissingFields returns the fields of an operation that are not requested, as dotted paths.
func (d *Dialect) MissingFields(op string) []string {
	return slices.Concat(d.pinned.MissingFields[op], d.profile.MissingFields[op])
}

// Types returns the types of an operation's objects that document 2 does not show. An element is
// the path of the object, if any, followed by the type.
func (d *Dialect) Types(op string) []string {
	return slices.Concat(d.pinned.Types[op], d.profile.Types[op])
}

// learnPaths adds paths to known[op], unless pinned[op] contains them or known[op] is full. It
// reports whether it added any.
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

// maxLearntPaths limits how many paths of each kind are learned per operation.
const maxLearntPaths = 256

// IsKeyless reports whether updates of an operation do not say which record they concern.
func (d *Dialect) IsKeyless(op string) bool {
	return slices.Contains(d.pinned.Keyless, op) || slices.Contains(d.profile.Keyless, op)
}

// MaxKeys returns the maximum number of keys in a filter of the operation op, or 0 if there is no
// limit.
func (d *Dialect) MaxKeys(op string) int {
	if d.pinned.MaxKeys > 0 {
		return d.pinned.MaxKeys
	}
	return d.profile.MaxKeys[op]
}

// usesVariables reports whether filters are sent as variables instead of literals.
func (d *Dialect) usesVariables() bool {
	if d.pinned.Filters != FiltersAuto {
		return d.pinned.Filters == FiltersVariables
	}
	return d.profile.Filters == FiltersVariables
}

// Request renders an operation in the form that the server accepts. kind is query or subscription.
// subRoot is the root field of a subscription. sent describes how the operation is sent.
func (d *Dialect) Request(doc *graphql.Document, kind, subRoot, filter string) (text string, vars map[string]any, sent SentRequest) {
	server := doc.Root
	if kind == graphql.KindSubscription {
		server, sent.Root = subRoot, subRoot
	}
	sent.selection = d.selection(doc)
	variable := ""
	if doc.Filtered && d.usesVariables() {
		if b, err := graphql.VariableJSON(filter); err == nil {
			variable, filter = "($filter: "+d.filterType(doc)+")", "$filter"
			vars = map[string]any{"filter": json.RawMessage(b)}
			sent.Size, sent.usesVariables = len(b), true
		}
	}
	names := graphql.ServerNames{Root: server, Argument: cmp.Or(d.pinned.Argument, d.profile.Arguments[doc.Root]), NoAlias: d.profile.NoAliases}
	if sent.withoutAliases = names.NoAlias; doc.Filtered {
		sent.argument = cmp.Or(names.Argument, defaultFilterArgument)
	}
	text = doc.RenderHead(names, kind, variable, filter)
	sent.offset = utf8.RuneCountInString(text)
	text += sent.selection + " }"
	sent.Size += len(text)
	return text, vars, sent
}

// filterType returns the GraphQL type of an operation's filter.
func (d *Dialect) filterType(doc *graphql.Document) string {
	if d.schema != nil {
		if t := d.schema.filterTypes[doc.Root]; t != "" {
			return t
		}
	}
	return doc.FilterType
}

// HalveMaxKeys limits filters of the operation op to half of keys, the number of keys in a refused
// filter. If keys is less than 2 or the configuration sets the limit, HalveMaxKeys changes nothing
// and returns false.
func (d *Dialect) HalveMaxKeys(op string, keys int) bool {
	if keys < 2 || d.pinned.MaxKeys > 0 {
		return false
	}
	d.profile.MaxKeys[op], d.hasUnsavedChanges = keys/2, true
	return true
}

// Subprotocol returns the sub-protocol that must be offered alone, or "" if there is none.
func (d *Dialect) Subprotocol() string { return d.profile.Subprotocol }

// ResetConnection forgets what was tried on the previous connection.
func (d *Dialect) ResetConnection() {
	d.trials.queryID, d.filtersSwitched, d.triedNames = "", false, newTriedNames()
}

// CountLastingSession counts a session that lasted. offeredAlone is the sub-protocol that was
// offered alone, or "" if several were offered.
func (d *Dialect) CountLastingSession(offeredAlone string) {
	if offeredAlone != "" {
		if d.evidence.countSupport(claim{kind: claimSingleSubprotocol, detail: offeredAlone}) && d.profile.Subprotocol != offeredAlone {
			d.profile.Subprotocol, d.hasUnsavedChanges = offeredAlone, true
		}
		return
	}
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimSingleSubprotocol })
	if d.profile.Subprotocol != "" {
		d.profile.Subprotocol, d.hasUnsavedChanges = "", true
	}
}

// CountLengthAccepted counts a session that lasted, so its requests were not too long.
func (d *Dialect) CountLengthAccepted() {
	if c := (claim{kind: claimTooLong}); d.evidence[c] < EnoughEvidence {
		d.evidence.countContradiction(c)
	}
}

// CountConnectionBroken counts a connection that ended, perhaps because a request was too long. It
// returns true if enough connections have ended to believe that long requests are the reason. A
// connection that ended during a trial of more keys does not count.
func (d *Dialect) CountConnectionBroken() bool {
	return !d.trials.failKeysTrial() && d.evidence.countSupport(claim{kind: claimTooLong})
}

// CountSubscriptionRefused counts a refusal of a subscription whose query was answered. It returns
// true if there have been enough refusals to believe that the server does not accept the
// subscription.
func (d *Dialect) CountSubscriptionRefused(op string) bool {
	return d.evidence.countSupport(claim{kind: claimSubscriptionRefused, op: op})
}

// NextRoot returns the root field to try after the server refused the root field refused of a
// subscription. It prefers a name suggested by the server, unless the name belongs to another
// operation. If a learned name was refused, it returns document 2's name. Otherwise it returns the
// next guess. It returns "" if all guesses were tried or the configuration sets the root field.
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
	return d.triedNames.nextRoot(op, d.profile.Roots)
}

// SwitchFilterForm switches between literals and variables for filters. It returns false if the
// configuration sets the form or if the form was already switched on this connection.
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

// IsOutdated reports whether an operation would be sent in another form now, because something has
// been learned since. root is the current root field of the subscription.
func (d *Dialect) IsOutdated(doc *graphql.Document, sent SentRequest, root string) bool {
	maxKeys := d.MaxKeys(doc.Root)
	argument := ""
	if doc.Filtered {
		argument = cmp.Or(d.pinned.Argument, d.profile.Arguments[doc.Root], defaultFilterArgument)
	}
	return sent.argument != argument || sent.withoutAliases != d.profile.NoAliases || sent.usesVariables != (doc.Filtered && d.usesVariables()) || maxKeys > 0 && sent.Keys > maxKeys ||
		sent.Root != root && sent.Root != "" || !sent.HasCurrentSelection(doc, d)
}

// CountKeylessUpdate counts an update of the operation op that does not say which record it
// concerns. believed is true if enough such updates have arrived to assume that updates of op
// generally do not say so. isNew is true if that was not assumed before.
func (d *Dialect) CountKeylessUpdate(op string) (believed, isNew bool) {
	if c := (claim{kind: claimKeyless, op: op}); !d.evidence.countSupport(c) && !d.IsKeyless(op) {
		return false, false
	}
	if d.IsKeyless(op) {
		return true, false
	}
	d.profile.Keyless, d.hasUnsavedChanges = append(d.profile.Keyless, op), true
	return true, true
}

// CountKeyedUpdate counts an update of the operation op that says which records it concerns. It
// returns true if the dialect had learned that updates of op do not say so, and drops this
// assumption now.
func (d *Dialect) CountKeyedUpdate(op string) bool {
	if !d.evidence.countContradiction(claim{kind: claimKeyless, op: op}) || !slices.Contains(d.profile.Keyless, op) {
		return false
	}
	d.profile.Keyless = slices.DeleteFunc(d.profile.Keyless, func(o string) bool { return o == op })
	d.hasUnsavedChanges = true
	return true
}
