package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
)

// Some updates tell only that something is not known: a list of theirs lacks
// elements, which may be gone or unchanged, or they are about a record that
// nobody has told of, of which there may be more. Or they only name a record: some
// servers do that when it left the filter and came back, and no update holds what
// changed meanwhile. Such records are asked for again at once, by name, until the
// server is known to tell all.

// againEvery bounds how often that is done.
const againEvery = 250 * time.Millisecond

// namedEvery is the same for updates that only name a record, where such updates are
// known to hide nothing.
const namedEvery = 2 * time.Second

// gaps are the records of a subscription that are to be asked for.
type gaps struct {
	names    map[string]time.Time // as filters call them; since when they are not wanted
	urgent   bool                 // one of the names cannot wait for namedEvery
	at       time.Time            // when it was done last
	request  queries.Request      // what is under way; not ready: nothing is
	asked    map[string]bool      // whom that is for
	since    map[string]time.Time // when they were, for a while
	early    map[string]bool      // who is shown before the filter follows
	arrivals habit                // a record that comes is told whole
	lists    habit                // a list is told whole
	hides    habit                // an update that only names a record hides a change
}

// add wants a record to be asked for.
func (a *gaps) add(name string) {
	if a.names == nil {
		a.names = make(map[string]time.Time)
	}
	a.names[name], a.urgent = time.Time{}, true
}

// done forgets what is under way.
func (a *gaps) done() { a.request, a.asked = queries.Request{}, nil }

// doubt notes what a message has left open. opening is whether it was the first of a
// subscription, which says nothing of what updates look like; whole whether lists are
// taken to come whole. It reports whether a list has become shorter where they always
// do.
func (a *gaps) doubt(doubts []picture.Doubt, opening, whole bool) (shorter bool) {
	for _, d := range doubts {
		if d.Signs&merge.ListRepeated != 0 && !opening {
			a.lists.sees(true)
		}
		switch {
		case d.Named:
			urgent := a.urgent || !a.hides.isNot()
			a.add(d.Name)
			a.urgent = urgent
		case d.Arrived && !a.arrivals.is():
			a.add(d.Name)
		case d.Signs&merge.ListShorter == 0 || whole:
		case d.Signs&merge.ListEmptied == 0 && a.lists.isNot():
			shorter = true
		default:
			a.add(d.Name)
		}
	}
	return shorter
}

// weigh takes over what an answer has shown of the doubts before it.
func (a *gaps) weigh(e picture.Shown) {
	for range e.Whole {
		a.arrivals.sees(true)
	}
	for range e.Bare {
		a.arrivals.sees(false)
	}
	for range e.Behind {
		a.hides.sees(true)
	}
	for range e.Same {
		a.hides.sees(false)
	}
	for range e.Removed {
		a.lists.sees(true)
	}
	for range e.Left {
		a.lists.sees(false)
	}
}

// repaired takes over what an audit has put right.
func (a *gaps) repaired(diffs []picture.Difference) {
	for i := range diffs {
		d := &diffs[i]
		if !d.Diff.Unread && d.Diff.Element() && d.Ours == "null" && a.lists.is() {
			a.lists.sees(false) // it was dropped, perhaps for being left out
		}
	}
}

// due reports whether records are to be asked for now, where the last full state
// took so long.
func (a *gaps) due(took time.Duration, now time.Time) bool {
	every := max(againEvery, 4*took)
	if !a.urgent {
		every = max(namedEvery, 16*took)
	}
	return len(a.names) > 0 && now.Sub(a.at) >= every
}

// next makes a request for those that are wanted, and reports whether there is one.
// Who is not wanted may be in a moment, when the users tell that they are back. named
// is false where no filter names them: they can only be asked for with all others.
func (a *gaps) next(wanted queries.Value, now time.Time) (some, named bool) {
	a.at, a.urgent = now, false
	names := queries.Names(wanted)
	if len(names) == 0 {
		a.names = nil
		return false, false
	}
	asked := make(map[string]bool)
	for name, since := range a.names {
		if _, is := slices.BinarySearch(names, name); is {
			asked[name] = true
			a.asks(name, now)
		} else if since.IsZero() {
			a.names[name] = now
		} else if now.Sub(since) > picture.LagBound {
			delete(a.names, name)
		}
	}
	if len(asked) == 0 {
		return false, true
	}
	a.request, a.asked = wanted.Request(slices.Sorted(maps.Keys(asked))), asked
	return true, true
}

// asks notes that a record is asked for.
func (a *gaps) asks(name string, now time.Time) {
	delete(a.names, name)
	maps.DeleteFunc(a.since, func(_ string, at time.Time) bool { return now.Sub(at) > 2*picture.LagBound })
	if a.since == nil {
		a.since, a.early = make(map[string]time.Time), make(map[string]bool)
	}
	a.since[name], a.early[name] = now, true
}

// dropEarly forgets who was shown before the filter could follow, and is not
// wanted any more: no answer about others tells that they have gone.
func (a *gaps) dropEarly(f *following, data interface{ Remove(name string) }) {
	if len(a.early) == 0 {
		return
	}
	has, wants := f.covers(), f.wants()
	for name := range a.early {
		switch {
		case has(name):
			delete(a.early, name)
		case !wants(name):
			delete(a.early, name)
			data.Remove(name)
		}
	}
}

// await has those asked for at once who are wanted and not covered yet: the filter
// follows later.
func (a *gaps) await(f *following) {
	have := f.coveredOn()
	for name, on := range f.wantedOn() {
		if len(have) > 0 && on&^have[name] != 0 {
			a.add(name)
		}
	}
}
