package feeds

import "time"

// coverage tracks, for a subscription that follows the users, whether its
// filter covers the users who arrived while there was no connection. It is done
// once per connection, when a filter made from the current users is active.
// Later arrivals are followed normally.
type coverage struct {
	wantedCurrent  bool // the wanted filter was made from the current users
	pendingCurrent bool // the pending subscription's filter was made from the current users
	done           bool
}

// markWanted records that the wanted filter follows from the current users. asked
// reports whether the pending subscription already has this filter; covered
// whether the active one does, or nothing has to be requested.
func (g *coverage) markWanted(asked, covered bool) {
	g.pendingCurrent = asked || g.wantedCurrent && g.pendingCurrent // an earlier request misses later arrivals
	g.wantedCurrent, g.done = true, g.done || covered
}

// markSubscribed records that a subscription to the wanted filter starts. Order decides
// here, not time: everything may happen at the same instant.
func (g *coverage) markSubscribed() { g.pendingCurrent = g.wantedCurrent }

// markActive records that the pending subscription's filter is now active.
func (g *coverage) markActive() { g.done = g.done || g.pendingCurrent }

// coverTimeout returns how long after the users are known a filter may take to
// cover them, given the time that one change takes. It allows for filters that
// depend on another subscription's records.
func coverTimeout(follow time.Duration) time.Duration { return 2*(follow+queryLate) + 5*time.Second }
