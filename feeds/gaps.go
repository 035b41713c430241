package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
	"wallboard/feeds/records"
)

// Some updates leave a record partly unknown: a list lacks elements that may be deleted or
// unchanged, or the record is new and may be incomplete. Other updates only name a record: some
// servers send them when the record left the filter and came back, and no update contains what
// changed in between. Such records are queried at once, by name, until the server is known to send
// everything.

// gapQueryInterval is the shortest interval between such queries.
const gapQueryInterval = 250 * time.Millisecond

// namedQueryInterval is the interval for updates that only name a record, once they are
// known to hide no change.
const namedQueryInterval = 2 * time.Second

// gaps tracks the records of a subscription that have to be queried.
type gaps struct {
	pendingNames        map[string]time.Time // names to query → since when the wanted filter lacks them; zero: it includes them
	urgent              bool                 // a name cannot wait for namedQueryInterval
	queriedAt           time.Time            // time of the last query
	request             queries.Request      // running query; not Ready: none
	queriedNames        map[string]bool      // names in the running query
	queriedRecently     map[string]time.Time // recently queried names → when they were queried
	shownEarly          map[string]bool      // records shown before the filter includes them
	completeArrivals    learnedProperty      // new records arrive complete
	completeLists       learnedProperty      // lists arrive complete
	nameOnlyHidesChange learnedProperty      // updates that only name a record hide changes
}

// addName adds a record that has to be queried.
func (a *gaps) addName(name string) {
	if a.pendingNames == nil {
		a.pendingNames = make(map[string]time.Time)
	}
	a.pendingNames[name], a.urgent = time.Time{}, true
}

// clearQuery clears the running query.
func (a *gaps) clearQuery() { a.request, a.queriedNames = queries.Request{}, nil }

// addDoubts adds the records that a message left unclear. opening is true for the first message of
// a subscription, which shows nothing about later updates; whole is true if lists are assumed to be
// complete. It reports whether a list became shorter on a server that always sends complete lists.
func (a *gaps) addDoubts(doubts []records.Doubt, opening, whole bool) (shorter bool) {
	for _, d := range doubts {
		if d.Signs&merge.ListRepeated != 0 && !opening {
			a.completeLists.observe(true)
		}
		switch {
		case d.KeyOnly:
			urgent := a.urgent || !a.nameOnlyHidesChange.isKnownFalse()
			a.addName(d.Name)
			a.urgent = urgent
		case d.IsNew && !a.completeArrivals.isKnownTrue():
			a.addName(d.Name)
		case d.Signs&merge.ListShorter == 0 || whole:
		case d.Signs&merge.ListEmptied == 0 && a.completeLists.isKnownFalse():
			shorter = true
		default:
			a.addName(d.Name)
		}
	}
	return shorter
}

// learn learns how the server sends updates from a query that resolved earlier doubts.
func (a *gaps) learn(e records.ResolvedDoubts) {
	for range e.NewComplete {
		a.completeArrivals.observe(true)
	}
	for range e.NewIncomplete {
		a.completeArrivals.observe(false)
	}
	for range e.NamedChanged {
		a.nameOnlyHidesChange.observe(true)
	}
	for range e.NamedUnchanged {
		a.nameOnlyHidesChange.observe(false)
	}
	for range e.ListReallyShorter {
		a.completeLists.observe(true)
	}
	for range e.ListNotShorter {
		a.completeLists.observe(false)
	}
}

// learnRepaired learns from the differences that an audit repaired.
func (a *gaps) learnRepaired(diffs []records.Difference) {
	for i := range diffs {
		d := &diffs[i]
		if !d.Diff.UnitUnknown && d.Diff.IsElement() && d.Ours == "null" && a.completeLists.isKnownTrue() {
			a.completeLists.observe(false) // we removed it; the server may only have omitted it
		}
	}
}

// queryDue reports whether to query the records now. took is how long the last full
// state took.
func (a *gaps) queryDue(took time.Duration, now time.Time) bool {
	every := max(gapQueryInterval, 4*took)
	if !a.urgent {
		every = max(namedQueryInterval, 16*took)
	}
	return len(a.pendingNames) > 0 && now.Sub(a.queriedAt) >= every
}

// buildQuery builds the query for records that the wanted filter includes and reports whether there are
// any. Names outside the filter are kept for a moment, because the user may log in again soon.
// named is false if filters cannot name single records; then all records have to be queried.
func (a *gaps) buildQuery(wanted queries.Value, now time.Time) (found, named bool) {
	a.queriedAt, a.urgent = now, false
	names := queries.Names(wanted)
	if len(names) == 0 {
		a.pendingNames = nil
		return false, false
	}
	asked := make(map[string]bool)
	for name, since := range a.pendingNames {
		if _, inFilter := slices.BinarySearch(names, name); inFilter {
			asked[name] = true
			a.markQueried(name, now)
		} else if since.IsZero() {
			a.pendingNames[name] = now
		} else if now.Sub(since) > records.MaxLag {
			delete(a.pendingNames, name)
		}
	}
	if len(asked) == 0 {
		return false, true
	}
	a.request, a.queriedNames = wanted.RequestFor(slices.Sorted(maps.Keys(asked))), asked
	return true, true
}

// markQueried records that a record is being queried.
func (a *gaps) markQueried(name string, now time.Time) {
	delete(a.pendingNames, name)
	maps.DeleteFunc(a.queriedRecently, func(_ string, at time.Time) bool { return now.Sub(at) > 2*records.MaxLag })
	if a.queriedRecently == nil {
		a.queriedRecently, a.shownEarly = make(map[string]time.Time), make(map[string]bool)
	}
	a.queriedRecently[name], a.shownEarly[name] = now, true
}

// dropUnwantedEarly removes records that were shown before the filter included them and that
// are no longer wanted, because no later answer shows that they are gone.
func (a *gaps) dropUnwantedEarly(f *filterProgress, data interface{ Remove(name string) }) {
	if len(a.shownEarly) == 0 {
		return
	}
	has, wants := f.coveredContains(), f.wantedContains()
	for name := range a.shownEarly {
		switch {
		case has(name):
			delete(a.shownEarly, name)
		case !wants(name):
			delete(a.shownEarly, name)
			data.Remove(name)
		}
	}
}

// addUncovered adds records that the wanted filter includes and the active one does not, so that
// they are queried before the filter changes.
func (a *gaps) addUncovered(f *filterProgress) {
	have := f.coveredChannels()
	for name, on := range f.wantedChannels() {
		if len(have) > 0 && on&^have[name] != 0 {
			a.addName(name)
		}
	}
}
