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
// nobody has told of, of which there may be more. Such records are asked for
// again at once, by name, until the server is known to tell all.

// againEvery bounds how often that is done.
const againEvery = 250 * time.Millisecond

// gaps are the records of a subscription that are to be asked for.
type gaps struct {
	names    map[string]time.Time // as filters call them; since when they are not wanted
	at       time.Time            // when it was done last
	request  queries.Request      // what is under way; not ready: nothing is
	asked    map[string]bool      // whom that is for
	since    map[string]time.Time // when they were, for a while
	early    map[string]bool      // who is shown before the filter follows
	arrivals habit                // a record that comes is told whole
	lists    habit                // a list is told whole
}

// add wants a record to be asked for.
func (a *gaps) add(name string) {
	if a.names == nil {
		a.names = make(map[string]time.Time)
	}
	a.names[name] = time.Time{}
}

// done forgets what is under way.
func (a *gaps) done() { a.request, a.asked = queries.Request{}, nil }

// doubt notes what the last message has left open. opening is whether it was the
// first of a subscription, which says nothing of what updates look like.
func (s *sub) doubt(opening bool) {
	for _, d := range s.data.Doubts() {
		if d.Signs&merge.ListRepeated != 0 && !opening {
			s.gaps.lists.sees(true)
		}
		switch {
		case d.Arrived && !s.gaps.arrivals.is():
			s.gaps.add(d.Name)
		case d.Signs&merge.ListShorter == 0 || s.env.WholeLists:
		case d.Signs&merge.ListEmptied == 0 && s.gaps.lists.isNot():
			s.losses.shorter = true // it always is
		default:
			s.gaps.add(d.Name)
		}
	}
}

// weigh takes over what an answer has shown of the doubts before it.
func (s *sub) weigh(e picture.Shown) {
	for range e.Whole {
		s.gaps.arrivals.sees(true)
	}
	for range e.Bare {
		s.gaps.arrivals.sees(false)
	}
	for range e.Removed {
		s.gaps.lists.sees(true)
	}
	for range e.Left {
		s.gaps.lists.sees(false)
	}
}

// askAgain reports whether records are to be asked for now.
func (s *sub) askAgain(now time.Time) bool {
	return len(s.gaps.names) > 0 && !s.followsNow(now) && s.active != "" && s.progress.verified && s.poll == 0 && now.Sub(s.gaps.at) >= max(againEvery, 4*s.hand.took)
}

// followsNow reports whether the filter is to follow now: the full state that
// comes with that has everything.
func (s *sub) followsNow(now time.Time) bool {
	return s.filter.differs() && s.filter.settled(s.hand.took, now)
}

// sendAgain asks for them. Who is not wanted may be in a moment, when the users
// tell that they are back.
func (s *sub) sendAgain(now time.Time) {
	a := &s.gaps
	a.at = now
	root := s.parsed.of(s.filter.want.Filter)
	names := queries.Names(root)
	if len(names) == 0 { // no filter names them
		a.names = nil
		s.losses.note(now)
		return
	}
	asked := make(map[string]bool)
	for name, since := range a.names {
		if _, wanted := slices.BinarySearch(names, name); wanted {
			asked[name] = true
			a.asks(name, now)
		} else if since.IsZero() {
			a.names[name] = now
		} else if now.Sub(since) > picture.LagBound {
			delete(a.names, name)
		}
	}
	if len(asked) == 0 {
		return
	}
	a.request, a.asked = root.Request(slices.Sorted(maps.Keys(asked))), asked
	s.sendQuery(a.request, now)
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
func (s *sub) dropEarly() {
	if len(s.gaps.early) == 0 {
		return
	}
	has, wants := s.parsed.has(s.filter.have.Filter), s.parsed.has(s.filter.want.Filter)
	for name := range s.gaps.early {
		switch {
		case has(name):
			delete(s.gaps.early, name)
		case !wants(name):
			delete(s.gaps.early, name)
			s.data.Remove(name)
		}
	}
}

// dropGaps takes back what is under way.
func (s *sub) dropGaps() {
	s.requests.Cancel(s.hand.query)
	s.hand.query, s.hand.kept = "", picture.Backlog{}
	s.gaps.done()
}

// awaitNewcomers has those asked for at once who are wanted and not covered yet:
// the filter follows later.
func (s *sub) awaitNewcomers() {
	if s.active == "" || !s.progress.verified || s.filter.want.Keys >= largeKeys || s.poll > 0 {
		return
	}
	have := s.parsed.of(s.filter.have.Filter).Channels()
	for name, on := range s.parsed.of(s.filter.want.Filter).Channels() {
		if len(have) > 0 && on&^have[name] != 0 {
			s.gaps.add(name)
		}
	}
}
