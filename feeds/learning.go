package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
	"wallboard/feeds/records"
)

// Some updates only show that something is unknown: a list lacks elements that
// may be gone or unchanged, or an update concerns a record seen for the first
// time and may not contain all of it. Others only name a record: some servers
// do that when it left the filter and came back, and no update contains what
// changed in between. Such records are queried at once, by name, until the
// server is known to send everything.

// againEvery is the shortest interval between such queries.
const againEvery = 250 * time.Millisecond

// namedEvery is the interval for updates that only name a record, once they are
// known to hide no change.
const namedEvery = 2 * time.Second

// gaps tracks the records of a subscription that have to be queried.
type gaps struct {
	names      map[string]time.Time // names as in filters → since when the filter does not want them
	urgent     bool                 // a name cannot wait for namedEvery
	queriedAt  time.Time            // time of the last query
	request    queries.Request      // running query; not Ready: none
	asked      map[string]bool      // names in the running query
	recent     map[string]time.Time // recently queried names and when
	shownEarly map[string]bool      // records shown before the filter includes them
	arrivals   habit                // new records arrive complete
	lists      habit                // lists arrive complete
	namedHide  habit                // updates that only name a record hide a change
}

// add requests a record to be queried.
func (a *gaps) add(name string) {
	if a.names == nil {
		a.names = make(map[string]time.Time)
	}
	a.names[name], a.urgent = time.Time{}, true
}

// clearQuery clears the running query.
func (a *gaps) clearQuery() { a.request, a.asked = queries.Request{}, nil }

// addDoubts notes what a message left unclear. opening is set for the first message
// of a subscription, which says nothing about later updates; whole is set if
// lists are taken to be complete. It reports whether a list became shorter on a
// server that always sends complete lists.
func (a *gaps) addDoubts(doubts []records.Doubt, opening, whole bool) (shorter bool) {
	for _, d := range doubts {
		if d.Signs&merge.ListRepeated != 0 && !opening {
			a.lists.observe(true)
		}
		switch {
		case d.KeyOnly:
			urgent := a.urgent || !a.namedHide.knownNot()
			a.add(d.Name)
			a.urgent = urgent
		case d.IsNew && !a.arrivals.known():
			a.add(d.Name)
		case d.Signs&merge.ListShorter == 0 || whole:
		case d.Signs&merge.ListEmptied == 0 && a.lists.knownNot():
			shorter = true
		default:
			a.add(d.Name)
		}
	}
	return shorter
}

// learn learns the server's habits from a query that resolved earlier doubts.
func (a *gaps) learn(e records.ResolvedDoubts) {
	for range e.Whole {
		a.arrivals.observe(true)
	}
	for range e.Bare {
		a.arrivals.observe(false)
	}
	for range e.Behind {
		a.namedHide.observe(true)
	}
	for range e.Same {
		a.namedHide.observe(false)
	}
	for range e.Removed {
		a.lists.observe(true)
	}
	for range e.Left {
		a.lists.observe(false)
	}
}

// learnRepaired learns from the differences that an audit repaired.
func (a *gaps) learnRepaired(diffs []records.Difference) {
	for i := range diffs {
		d := &diffs[i]
		if !d.Diff.UnitUnknown && d.Diff.Element() && d.Ours == "null" && a.lists.known() {
			a.lists.observe(false) // removed by us, perhaps only omitted by the server
		}
	}
}

// due reports whether to query records now; took is how long the last full
// state took.
func (a *gaps) due(took time.Duration, now time.Time) bool {
	every := max(againEvery, 4*took)
	if !a.urgent {
		every = max(namedEvery, 16*took)
	}
	return len(a.names) > 0 && now.Sub(a.queriedAt) >= every
}

// next builds the query for records in the wanted filter and reports whether
// there are any. Names outside the filter are kept for a moment, because the
// users may report them back soon. named is false if no filter names records;
// they can then only be queried with all the others.
func (a *gaps) next(wanted queries.Value, now time.Time) (some, named bool) {
	a.queriedAt, a.urgent = now, false
	names := queries.Names(wanted)
	if len(names) == 0 {
		a.names = nil
		return false, false
	}
	asked := make(map[string]bool)
	for name, since := range a.names {
		if _, is := slices.BinarySearch(names, name); is {
			asked[name] = true
			a.markQueried(name, now)
		} else if since.IsZero() {
			a.names[name] = now
		} else if now.Sub(since) > records.MaxLag {
			delete(a.names, name)
		}
	}
	if len(asked) == 0 {
		return false, true
	}
	a.request, a.asked = wanted.Request(slices.Sorted(maps.Keys(asked))), asked
	return true, true
}

// markQueried records that a record is being queried.
func (a *gaps) markQueried(name string, now time.Time) {
	delete(a.names, name)
	maps.DeleteFunc(a.recent, func(_ string, at time.Time) bool { return now.Sub(at) > 2*records.MaxLag })
	if a.recent == nil {
		a.recent, a.shownEarly = make(map[string]time.Time), make(map[string]bool)
	}
	a.recent[name], a.shownEarly[name] = now, true
}

// dropEarly forgets records that were shown before the filter included them and
// are not wanted any more: no later answer reports them as gone.
func (a *gaps) dropEarly(f *following, data interface{ Remove(name string) }) {
	if len(a.shownEarly) == 0 {
		return
	}
	has, wants := f.covers(), f.wants()
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

// addUncovered requests records that are wanted but not covered yet at once, because
// the filter follows later.
func (a *gaps) addUncovered(f *following) {
	have := f.coveredOn()
	for name, on := range f.wantedOn() {
		if len(have) > 0 && on&^have[name] != 0 {
			a.add(name)
		}
	}
}
