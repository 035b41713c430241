package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
)

// Some updates leave a record partly unknown: a list lacks elements that may have been deleted or
// just not sent, or the record is new and may be incomplete. Other updates contain only the name of
// a record. Some servers send them when a record has left the filter and come back, and changes
// made in between may be lost. In both cases the record is queried by name, until the server is
// known to send everything.

// gapQueryInterval is the shortest interval between queries for records that updates left
// incomplete.
const gapQueryInterval = 250 * time.Millisecond

// namedQueryInterval is the shortest interval between queries for records whose updates contained
// only a name, once such updates are known to hide no change.
const namedQueryInterval = 2 * time.Second

// incompleteRecords tracks which records of a subscription have to be queried because updates left them
// incomplete, and how complete the server's updates are known to be.
type incompleteRecords struct {
	pendingNames        map[string]time.Time // names to query → since when the wanted filter has lacked the name; zero: it contains the name
	urgent              bool                 // one of the pending names cannot wait for namedQueryInterval
	queriedAt           time.Time            // time of the last query
	request             graphql.Request      // running query; Ready is false if there is none
	queriedNames        map[string]bool      // names in the running query
	queriedRecently     map[string]time.Time // recently queried names → when they were queried
	earlyRecords        map[string]bool      // names of records that were queried and shown before the active filter included them
	newRecordsComplete  learnedProperty      // new records arrive with all fields
	completeLists       learnedProperty      // lists in updates contain all elements
	nameOnlyHidesChange learnedProperty      // updates that contain only the name of a record hide changes
}

// addName adds the name of a record that has to be queried soon.
func (g *incompleteRecords) addName(name string) {
	if g.pendingNames == nil {
		g.pendingNames = make(map[string]time.Time)
	}
	g.pendingNames[name], g.urgent = time.Time{}, true
}

// clearQuery forgets the running query.
func (g *incompleteRecords) clearQuery() { g.request, g.queriedNames = graphql.Request{}, nil }

// addDoubtfulRecords adds the records that a message left incomplete or doubtful. isFirst is true for the
// first message of a subscription, which shows nothing about later updates. listsComplete is true
// if lists in updates are assumed to be complete.
//
// shorter is true if a list lacked elements, but not all, and the server is known to omit unchanged
// elements. Only the full state can then show which elements were deleted.
func (g *incompleteRecords) addDoubtfulRecords(doubts []records.DoubtfulRecord, isFirst, listsComplete bool) (shorter bool) {
	for _, d := range doubts {
		if d.Signs&merge.ListRepeated != 0 && !isFirst {
			g.completeLists.observe(true)
		}
		switch {
		case d.KeyOnly:
			urgent := g.urgent || !g.nameOnlyHidesChange.isKnownFalse()
			g.addName(d.RecordName)
			g.urgent = urgent
		case d.RecordIsNew && !g.newRecordsComplete.isKnownTrue():
			g.addName(d.RecordName)
		case d.Signs&merge.ListShorter == 0 || listsComplete:
		case d.Signs&merge.ListEmptied == 0 && g.completeLists.isKnownFalse():
			shorter = true
		default:
			g.addName(d.RecordName)
		}
	}
	return shorter
}

// learn records what the answer to a query shows about the server's updates. e counts the doubts
// that the answer resolved, by result.
func (g *incompleteRecords) learn(e records.ResolvedDoubtCounts) {
	for range e.NewComplete {
		g.newRecordsComplete.observe(true)
	}
	for range e.NewIncomplete {
		g.newRecordsComplete.observe(false)
	}
	for range e.KeyOnlyChanged {
		g.nameOnlyHidesChange.observe(true)
	}
	for range e.KeyOnlyUnchanged {
		g.nameOnlyHidesChange.observe(false)
	}
	for range e.ListReallyShorter {
		g.completeLists.observe(true)
	}
	for range e.ListNotShorter {
		g.completeLists.observe(false)
	}
}

// learnRepaired learns from diffs, the differences that an audit repaired. If the audit restored a
// list element that the feed had removed, lists in updates no longer count as complete.
func (g *incompleteRecords) learnRepaired(diffs []records.Difference) {
	for i := range diffs {
		d := &diffs[i]
		if !d.Diff.UnitUnknown && d.Diff.IsElement() && d.Ours == "null" && g.completeLists.isKnownTrue() {
			g.completeLists.observe(false) // the update only omitted the element that the audit restored
		}
	}
}

// queryDue reports whether to query the incomplete records now. took is how long the last query for
// the full state took.
func (g *incompleteRecords) queryDue(took time.Duration, now time.Time) bool {
	interval := max(gapQueryInterval, 4*took)
	if !g.urgent {
		interval = max(namedQueryInterval, 16*took)
	}
	return len(g.pendingNames) > 0 && now.Sub(g.queriedAt) >= interval
}

// buildQuery stores in g.request the query for the incomplete records that the wanted filter
// includes. found is false if there are none. named is false if filters cannot name single records,
// so all records have to be queried. Names outside the filter are kept for [records.MaxReplicaLag],
// because their users may log in again soon.
func (g *incompleteRecords) buildQuery(wanted graphql.Value, now time.Time) (found, named bool) {
	g.queriedAt, g.urgent = now, false
	names := graphql.RecordNames(wanted)
	if len(names) == 0 {
		g.pendingNames = nil
		return false, false
	}
	asked := make(map[string]bool)
	for name, since := range g.pendingNames {
		if _, inFilter := slices.BinarySearch(names, name); inFilter {
			asked[name] = true
			g.markQueried(name, now)
		} else if since.IsZero() {
			g.pendingNames[name] = now
		} else if now.Sub(since) > records.MaxReplicaLag {
			delete(g.pendingNames, name)
		}
	}
	if len(asked) == 0 {
		return false, true
	}
	g.request, g.queriedNames = wanted.RequestFor(slices.Sorted(maps.Keys(asked))), asked
	return true, true
}

func (g *incompleteRecords) markQueried(name string, now time.Time) {
	delete(g.pendingNames, name)
	maps.DeleteFunc(g.queriedRecently, func(_ string, at time.Time) bool { return now.Sub(at) > 2*records.MaxReplicaLag })
	if g.queriedRecently == nil {
		g.queriedRecently, g.earlyRecords = make(map[string]time.Time), make(map[string]bool)
	}
	g.queriedRecently[name], g.earlyRecords[name] = now, true
}

// dropEarlyRecords removes from data the records that were shown before the active filter of f
// included them and that are no longer wanted. No later message would remove these records.
func (g *incompleteRecords) dropEarlyRecords(f *filterProgress, data interface{ Remove(name string) }) {
	if len(g.earlyRecords) == 0 {
		return
	}
	isActive, isWanted := f.activeContains(), f.cache.ContainsName(f.wantedRequest.Filter)
	for name := range g.earlyRecords {
		switch {
		case isActive(name):
			delete(g.earlyRecords, name)
		case !isWanted(name):
			delete(g.earlyRecords, name)
			data.Remove(name)
		}
	}
}

// addUncoveredNames adds the names that the wanted filter includes and the active filter does not, so
// that the records are queried before the filter changes. It does nothing if the active filter has
// no names.
func (g *incompleteRecords) addUncoveredNames(f *filterProgress) {
	active := f.activeChannels()
	for name, on := range f.wantedChannels() {
		if len(active) > 0 && on&^active[name] != 0 {
			g.addName(name)
		}
	}
}
