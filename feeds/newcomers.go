package feeds

import (
	"maps"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
)

// On a floor of thousands, users log in and out all the time. Renewing the subscription each time
// would cost a full state of all users. Instead, users who log in (newcomers) get a small second
// subscription next to the large one. Updates of users who log out (leavers) are ignored. The large
// subscription is renewed only now and then.

const (
	// maxNewcomers limits the users in the small subscription, because every user who logs in
	// renews all of it.
	maxNewcomers = 250
	// maxNewcomerDelay is the longest time that users who log in are collected before the small
	// subscription is renewed.
	maxNewcomerDelay = 5 * time.Second
)

// newcomerSubscription is the small second subscription for users who logged in after the large one
// was made. It also holds the users in the large subscription who have logged out and are ignored.
type newcomerSubscription struct {
	requests *dialect.Requests
	merger   interface {
		IgnoreNames(names map[string]bool, now time.Time)
	}

	id           string              // ID of the small subscription; "": none
	users        map[string]newcomer // users whom the small subscription covers
	leavers      map[string]bool     // users in the large subscription who are no longer wanted
	pending      pendingNewcomers
	needsRenewal bool // the last change of the filter requires a new large subscription
	refused      bool // the server refused or ended a second subscription on this connection
}

// newcomer is a user whom the small subscription covers.
type newcomer struct {
	since     time.Time // when the user's records were requested
	uncovered bool      // not in the large subscription on any channel
}

// pendingNewcomers is the request of a pending subscription that will become the small one. users
// are the users that the request covers.
type pendingNewcomers struct {
	graphql.Request
	users map[string]newcomer
}

// filterChange is the difference between the users in the wanted filter and those in the active
// one.
type filterChange struct {
	staying      []string
	leavers      map[string]bool     // users who left, also before this change
	newcomers    map[string]newcomer // users who logged in, also before this change
	hasNewcomers bool                // some users in newcomers have just logged in
	hasLeavers   bool                // some users in leavers have just left
}

// compareFilters compares the wanted with the covered users. Both maps hold a bit set of channels
// for each user. ok is false if the change requires a new large subscription, because a small one
// and ignoring users are not enough.
func (n *newcomerSubscription) compareFilters(wanted, covered map[string]uint32, now time.Time) (c filterChange, ok bool) {
	c = filterChange{leavers: make(map[string]bool), newcomers: make(map[string]newcomer)}
	// Names are copied because a substring would keep the whole filter text in memory.
	for name, on := range covered {
		switch {
		case wanted[name] == 0:
			c.leavers[strings.Clone(name)], c.hasLeavers = true, true
		case on&^wanted[name] != 0 && !n.users[name].uncovered: // the large subscription still delivers a channel that is no longer wanted
			return c, false
		default:
			c.staying = append(c.staying, name)
		}
	}
	for name := range n.leavers {
		if wanted[name] == 0 {
			c.leavers[name] = true
		}
	}
	for name, on := range wanted {
		previous, isNewcomer := n.users[name]
		switch {
		case on != covered[name]:
			unknown := covered[name] == 0 && !n.leavers[name]
			c.newcomers[strings.Clone(name)], c.hasNewcomers = newcomer{since: now, uncovered: previous.uncovered || unknown}, true
		case isNewcomer:
			c.newcomers[strings.Clone(name)] = previous
		}
	}
	return c, len(c.newcomers) <= maxNewcomers && 4*len(c.leavers) <= len(covered)
}

// acceptReturned stops ignoring the users who had logged out and are wanted again.
func (n *newcomerSubscription) acceptReturned(f *filterProgress, now time.Time) {
	if len(n.leavers) == 0 {
		return
	}
	wanted, left := f.wantedChannels(), maps.Clone(n.leavers)
	maps.DeleteFunc(left, func(name string, _ bool) bool { return wanted[name] != 0 })
	n.merger.IgnoreNames(left, now) // n.leavers is unchanged: the request for the returned users may fail
}

// ignoreLeavers makes updates and answers skip the users in left, who have logged out.
func (n *newcomerSubscription) ignoreLeavers(left map[string]bool, now time.Time) {
	n.leavers = left
	n.merger.IgnoreNames(left, now)
}

// ignoreLeaversAgain undoes [newcomerSubscription.acceptReturned] after the request for the
// returned users failed.
func (n *newcomerSubscription) ignoreLeaversAgain(now time.Time) {
	if len(n.leavers) > 0 {
		n.merger.IgnoreNames(n.leavers, now)
	}
}

// activatePending makes the pending subscription, whose ID is pending, the small one. It returns
// the users that the previous small subscription did not cover.
func (n *newcomerSubscription) activatePending(pending string) (added []string) {
	for name := range n.pending.users {
		if _, wasCovered := n.users[name]; !wasCovered {
			added = append(added, name)
		}
	}
	n.id, n.users = pending, n.pending.users
	return added
}

// endSubscription ends the small subscription and stops ignoring the users who logged out.
func (n *newcomerSubscription) endSubscription(now time.Time) {
	if n.id != "" {
		n.requests.Cancel(n.id)
	}
	n.merger.IgnoreNames(nil, now)
	*n = newcomerSubscription{requests: n.requests, merger: n.merger, refused: n.refused}
}

// owns reports whether id is the small subscription or its pending replacement. pending is the ID
// of the pending subscription, which may be the large one.
func (n *newcomerSubscription) owns(id, pending string) bool {
	return id != "" && (id == n.id || n.pending.IsWanted && id == pending)
}
