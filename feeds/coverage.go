package feeds

import (
	"time"

	"wallboard/model"
)

// coverage is how far a subscription is that follows the users: on a new connection
// it has to cover who came while there was none. That is one step, and over when
// a filter was taken over that follows from who is there now. Who comes later is
// followed as ever.
type coverage struct {
	asked time.Time // when it was first asked for who is there now; zero: not yet on this connection
	fresh time.Time // when what the pending subscription is for was asked for
	done  bool
}

// gatherFrom notes that what is wanted follows from who is there now.
func (s *sub) gatherFrom(now time.Time) {
	g := &s.cover
	if g.asked.IsZero() {
		g.asked = now
	}
	if s.hand.pending != "" && s.filter.want == s.hand.fresh {
		g.fresh = now // it was asked for already: nobody came or went
	}
	g.done = g.done || !s.filter.want.Ready || s.active != "" && s.filter.want == s.filter.have
}

// gathered notes that what the pending subscription is for was taken over.
func (s *sub) gathered() {
	g := &s.cover
	g.done = g.done || !g.asked.IsZero() && !g.fresh.Before(g.asked)
}

// gathersWithin is how long after the users are known on a connection a filter may
// take to follow them, one that follows from another subscription's records too.
func (s *sub) gathersWithin() time.Duration {
	return 2*(s.filter.within(s.hand.took)+queryLate) + 5*time.Second
}

// gathering reports whether a subscription, live as it is, does not yet cover who
// came while the connection was down: they would be missing without a word.
func (m *members) gathering(s *sub, now time.Time) bool {
	u := m.subs.named(opUsers)
	if traits[s.doc.Root].follows == "" {
		return false
	}
	if u.status.State == model.SubSyncing || m.awaited(s, now) {
		return true
	}
	return !s.cover.done && now.Sub(u.progress.firstAt) < s.gathersWithin() &&
		(m.stale != (staleness{}) || s.filter.want.Ready && s.filter.differs())
}

// awaited reports whether the agents whose profiles a subscription is about are
// gathered: these follow the users in two steps, and until then nothing to ask
// for does not mean that there is nothing.
func (m *members) awaited(s *sub, now time.Time) bool {
	follows := traits[s.doc.Root].follows
	return follows != "" && follows != opUsers && m.gathering(m.subs.named(follows), now)
}
