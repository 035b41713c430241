package feeds

import "time"

// coverage is how far a subscription is that follows the users: on a new connection
// it has to cover who came while there was none. That is one step, and over when
// a filter was taken over that follows from who is there now. Who comes later is
// followed as ever.
type coverage struct {
	asked time.Time // when it was first asked for who is there now; zero: not yet on this connection
	fresh time.Time // when what the pending subscription is for was asked for
	done  bool
}

// gather notes that what is wanted follows from who is there now. asked is whether it
// is asked for already: nobody came or went. covered is whether it is covered, or
// there is nobody to ask for.
func (g *coverage) gather(asked, covered bool, now time.Time) {
	if g.asked.IsZero() {
		g.asked = now
	}
	if asked {
		g.fresh = now
	}
	g.done = g.done || covered
}

// gathered notes that what the pending subscription is for was taken over.
func (g *coverage) gathered() {
	g.done = g.done || !g.asked.IsZero() && !g.fresh.Before(g.asked)
}

// gathersWithin is how long after the users are known on a connection a filter may
// take to follow them that takes so long to follow, one that follows from another
// subscription's records too.
func gathersWithin(follow time.Duration) time.Duration { return 2*(follow+queryLate) + 5*time.Second }
