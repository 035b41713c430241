package feeds

import "time"

// coverage is how far a subscription is that follows the users: on a new connection
// it has to cover who came while there was none. That is one step, and over when
// a filter was taken over that follows from who is there now. Who comes later is
// followed as ever.
type coverage struct {
	known bool // who is there now has been asked for, or is to be
	fresh bool // what the pending subscription is for was made of that
	done  bool
}

// gather notes that what is wanted follows from who is there now. asked is whether it
// is asked for already: nobody came or went. covered is whether it is covered, or
// there is nobody to ask for.
func (g *coverage) gather(asked, covered bool) {
	g.fresh = asked || g.known && g.fresh // what was asked for before knew nobody who came
	g.known, g.done = true, g.done || covered
}

// begins notes that a subscription for what is wanted is made. That order decides, and
// not the time: all of it may happen at the same instant.
func (g *coverage) begins() { g.fresh = g.known }

// gathered notes that what the pending subscription is for was taken over.
func (g *coverage) gathered() { g.done = g.done || g.fresh }

// gathersWithin is how long after the users are known on a connection a filter may
// take to follow them that takes so long to follow, one that follows from another
// subscription's records too.
func gathersWithin(follow time.Duration) time.Duration { return 2*(follow+queryLate) + 5*time.Second }
