package feeds

import (
	"slices"
	"strings"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
	"wallboard/model"
)

// filterBuilder builds the filters of the subscriptions. Most filters follow from the users: from
// their names, channels, services, skillsets and profiles, because document 2 has no operation that
// lists services or groups.
//
// The names in a filter are sorted, so that the same members always give the same filter.
type filterBuilder struct {
	opts      *Options
	subs      subscriptionList
	store     *model.Store
	agents    *records.Table[model.UserStatKey, model.UserStat, *model.UserStat]
	operators *records.Table[model.UserStatKey, model.Operator, *model.Operator]
	env       *merge.Env

	services  codeSet
	groups    codeSet
	discovery campaignDiscovery

	renamedServices, renamedGroups codeRenames

	staleFilters staleFilterSet
	filteredAt   time.Time // when the filters that depend on the users were last built
	usersKnown   bool      // the list of users was complete at filteredAt
}

// staleFilterSet records which filters have to be rebuilt: those that depend on the users, on the
// agents' profiles, or on the operators' profiles.
type staleFilterSet struct{ users, profiles, operators bool }

// reset restores the codes and campaigns of the options, forgets those found since, and marks all
// filters as stale.
func (b *filterBuilder) reset() {
	o := b.opts
	b.services, b.groups = newCodeSet(o.Services, o.Bounds.Codes), newCodeSet(o.Groups, o.Bounds.Codes)
	b.discovery.requestSearch(o.FindCampaigns)
	b.renamedServices, b.renamedGroups = codeRenames{}, codeRenames{}
	b.staleFilters, b.filteredAt, b.usersKnown = staleFilterSet{users: true, profiles: true, operators: true}, time.Time{}, false
}

// applyOptions applies new options. Codes found through users are kept, because a
// code whose last agent has gone home cannot be found again.
func (b *filterBuilder) applyOptions() {
	before := *b
	b.reset()
	b.filteredAt, b.usersKnown = before.filteredAt, before.usersKnown
	b.services.inherit(before.services)
	b.groups.inherit(before.groups)
	b.discovery.restore(before.discovery)
}

// userChangesFilters reports whether u, an update of the user old, affects the filters. A changed
// state on a channel does not, but a new channel does. old is nil for a new user.
func userChangesFilters(old, u *model.User) bool {
	if old == nil || u.Mutation == model.Deleted {
		return true
	}
	if !slices.Equal(old.Services, u.Services) || !slices.Equal(old.Skillsets, u.Skillsets) {
		return true
	}
	for _, ch := range model.Channels() {
		if (old.Statuses.ForChannel(ch) == "") != (u.Statuses.ForChannel(ch) == "") {
			return true
		}
	}
	return false
}

func profileChangesFilters(old, r *model.UserStat) bool {
	return old == nil || old.LoggedProfileID != r.LoggedProfileID
}

func operatorChangesFilters(old, r *model.Operator) bool {
	return old == nil || old.LoggedProfileID != r.LoggedProfileID
}

// filterInterval returns how long logins and logouts are collected before the filters are rebuilt.
// Rebuilding takes longer on larger floors, so the interval grows with the number of users.
func (b *filterBuilder) filterInterval() time.Duration {
	return max(filterDelay, time.Duration(b.store.Users.Len())*filterDelayPerUser)
}

// updateFilters rebuilds the filters that are stale and due.
func (b *filterBuilder) updateFilters(now time.Time) {
	b.dropRenamed()
	if b.staleFilters.users && (!b.usersKnown || now.Sub(b.filteredAt) >= b.filterInterval()) {
		b.staleFilters = staleFilterSet{profiles: true, operators: true}
		b.filteredAt = now
		b.updateUserFilters(now)
	}
	if b.staleFilters.profiles {
		b.staleFilters.profiles = false
		b.updateDependentFilters(opUserStats, nil, now)
	}
	if b.staleFilters.operators {
		b.staleFilters.operators = false
		b.updateDependentFilters(opOperators, nil, now)
	}
}

// updateDependentFilters rebuilds the filters of the operations that follow the records of the operation
// followed or, if followed is "", of those that follow none.
func (b *filterBuilder) updateDependentFilters(followed string, names userNames, now time.Time) {
	for op, t := range traitsByOperation {
		if t.filterSource == followed {
			b.setWanted(op, t.request(b, names), now)
		}
	}
}

// updateUserFilters rebuilds the filters that depend on the users (those of services, attendants, groups and
// figures of agents and operators) and the filters that depend on no records.
func (b *filterBuilder) updateUserFilters(now time.Time) {
	names := make(map[model.Channel][]string)
	b.services.overflow, b.groups.overflow = false, false
	withoutStates := b.channelsWithoutStates()
	b.detectRenames(now)
	for _, u := range b.store.Users.Rows() {
		b.services.add(u.Services, now)
		b.groups.add(u.Skillsets, now)
		found := false
		for _, ch := range model.Channels() {
			if hasState := u.Statuses.ForChannel(ch) != ""; hasState || withoutStates[ch] {
				names[ch] = append(names[ch], u.Key())
				found = found || hasState
			}
		}
		if !found { // without any state, all channels are possible
			for _, ch := range model.Channels() {
				names[ch] = append(names[ch], u.Key())
			}
		}
	}
	names = sortedUnique(names)
	b.dropDeparted()
	b.usersKnown = b.isComplete(opUsers)
	if b.usersKnown {
		services, groups := b.services.dropExpired(now), b.groups.dropExpired(now)
		b.staleFilters.users = services || groups
	}
	b.updateDependentFilters("", names, now)
	b.updateDependentFilters(opUsers, names, now)
	b.setWantedCampaigns(now)
}

// channelsWithoutStates returns the channels on which the server does not report the users' states.
// The filters then include all users on these channels.
func (b *filterBuilder) channelsWithoutStates() map[model.Channel]bool {
	out := make(map[model.Channel]bool)
	for _, path := range b.subs.byOperation(opUsers).dialect.MissingFields(opUsers) {
		if ch, is := strings.CutPrefix(path, "statuses."); is {
			out[model.Channel(ch)] = true
		}
	}
	return out
}

// setWanted makes r the wanted request of the operation op. If the options exclude op, the wanted
// request is empty.
func (b *filterBuilder) setWanted(op string, r graphql.Request, now time.Time) {
	if requested := b.opts.Operations; len(requested) > 0 && !slices.Contains(requested, model.Op(op)) {
		r = graphql.Request{}
	}
	s, follows := b.subs.byOperation(op), traitsByOperation[op].filterSource
	known := (follows == "" || b.isComplete(follows)) && (op != opCampaigns || !b.discovery.awaitsFirst)
	if s.setWanted(r, known, now); known && (follows == "" || follows == opUsers || b.subs.byOperation(follows).coverage.coversAll) {
		s.markCurrentUsers()
	}
}

// isComplete reports whether all records of the operation op are known. An operation that is not
// requested counts as complete.
func (b *filterBuilder) isComplete(op string) bool {
	switch b.subs.byOperation(op).status.State {
	case model.SubLive, model.SubWaiting, model.SubPolling:
		return true
	case model.SubConnecting, model.SubSyncing, model.SubUnverified, model.SubStale, model.SubRefused, model.SubBackoff:
	}
	return false
}

// dropDeparted removes the figures of users who have logged out. For users who have logged in again
// since their figures were removed, it queries the figures.
func (b *filterBuilder) dropDeparted() {
	if b.subs.byOperation(opUsers).status.VerifiedAt.IsZero() {
		return
	}
	gone := func(k model.UserStatKey) bool { return b.store.Users.Get(k.Username) == nil }
	b.subs.byOperation(opUserStats).requeryReturned(b.agents.DropDeparted(gone, b.env.ReceivedAt), b.env.ReceivedAt)
	b.subs.byOperation(opOperators).requeryReturned(b.operators.DropDeparted(gone, b.env.ReceivedAt), b.env.ReceivedAt)
}

// sortedUnique sorts each list in place and removes duplicates. It returns the same map.
func sortedUnique[T int64 | string](lists map[model.Channel][]T) map[model.Channel][]T {
	for ch, l := range lists {
		slices.Sort(l)
		lists[ch] = slices.Compact(l)
	}
	return lists
}
