package feeds

import (
	"slices"
	"strings"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
	"wallboard/feeds/records"
	"wallboard/model"
)

// filterBuilder builds the filters of the subscriptions. The users determine most of them: their names,
// channels, services, skillsets and profiles (document 2 has no operation that lists services or
// groups).
//
// The names in a filter are sorted, so that the same members give the same filter.
type filterBuilder struct {
	opts      *Options
	subs      subs
	store     *model.Store
	agents    *records.Table[model.UserStatKey, model.UserStat, *model.UserStat]
	operators *records.Table[model.UserStatKey, model.Operator, *model.Operator]
	env       *merge.Env

	services  codes
	groups    codes
	discovery campaignDiscovery

	renamedServices, renamedGroups codeRenames

	staleFilters staleness
	filteredAt   time.Time // when the filters that depend on the users were last built
	usersKnown   bool      // all users were known then
}

// staleness records which filters have to be rebuilt.
type staleness struct{ users, profiles, operators bool }

// reset resets the filters to what the options name.
func (m *filterBuilder) reset() {
	o := m.opts
	m.services, m.groups = newCodes(o.Services, o.Bounds.Codes), newCodes(o.Groups, o.Bounds.Codes)
	m.discovery.requestSearch(o.FindCampaigns)
	m.renamedServices, m.renamedGroups = codeRenames{}, codeRenames{}
	m.staleFilters, m.filteredAt, m.usersKnown = staleness{users: true, profiles: true, operators: true}, time.Time{}, false
}

// applyOptions applies new options. Codes found through users are kept, because a
// code whose last agent has gone home cannot be found again.
func (m *filterBuilder) applyOptions() {
	before := *m
	m.reset()
	m.filteredAt, m.usersKnown = before.filteredAt, before.usersKnown
	m.services.inherit(before.services)
	m.groups.inherit(before.groups)
	m.discovery.restore(before.discovery)
}

// userChangesFilters reports whether an update of a user affects the filters: a new state does not,
// a new channel does.
func userChangesFilters(old, u *model.User) bool {
	if old == nil || u.Mutation == model.Deleted {
		return true
	}
	if !slices.Equal(old.Services, u.Services) || !slices.Equal(old.Skillsets, u.Skillsets) {
		return true
	}
	for _, ch := range model.Channels() {
		if (old.Statuses.On(ch) == "") != (u.Statuses.On(ch) == "") {
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
// It is longer on larger floors, where that takes longer.
func (m *filterBuilder) filterInterval() time.Duration {
	return max(filterDelay, time.Duration(m.store.Users.Len())*filterDelayPerUser)
}

// updateFilters updates the stale filters.
func (m *filterBuilder) updateFilters(now time.Time) {
	m.dropRenamed()
	if m.staleFilters.users && (!m.usersKnown || now.Sub(m.filteredAt) >= m.filterInterval()) {
		m.staleFilters = staleness{profiles: true, operators: true}
		m.filteredAt = now
		m.updateUserFilters(now)
	}
	if m.staleFilters.profiles {
		m.staleFilters.profiles = false
		ids := make(map[model.Channel][]int64)
		for _, r := range m.store.UserStats.Rows() {
			if id := r.LoggedProfileID.Or(0); id != 0 {
				ids[r.Channel] = append(ids[r.Channel], id)
			}
		}
		m.setWanted(opProfiles, m.opts.Restriction.ProfilesRequest(sortedUnique(ids)), now)
	}
	if m.staleFilters.operators {
		m.staleFilters.operators = false
		ids := make(map[model.Channel][]int64)
		for _, r := range m.store.Operators.Rows() {
			if id := r.LoggedProfileID.Or(0); id != 0 {
				ids[model.Call] = append(ids[model.Call], id) // the filter has no other channel
			}
		}
		m.setWanted(opOperatorProfiles, m.opts.Restriction.ProfilesRequest(sortedUnique(ids)), now)
	}
}

// updateUserFilters rebuilds the filters that depend on the users.
func (m *filterBuilder) updateUserFilters(now time.Time) {
	names := make(map[model.Channel][]string)
	m.services.overflow, m.groups.overflow = false, false
	untold := m.unreportedChannels()
	m.detectRenames(now)
	for _, u := range m.store.Users.Rows() {
		m.services.add(u.Services, now)
		m.groups.add(u.Skillsets, now)
		found := false
		for _, ch := range model.Channels() {
			if told := u.Statuses.On(ch) != ""; told || untold[ch] {
				names[ch] = append(names[ch], u.Key())
				found = found || told
			}
		}
		if !found { // without any state, all channels are possible
			for _, ch := range model.Channels() {
				names[ch] = append(names[ch], u.Key())
			}
		}
	}
	names = sortedUnique(names)
	m.dropDeparted()
	m.usersKnown = m.isComplete(opUsers)
	if m.usersKnown {
		services, groups := m.services.dropExpired(now), m.groups.dropExpired(now)
		m.staleFilters.users = services || groups
	}
	for op, r := range map[string]queries.Request{
		opVersion:      {Ready: true},
		opServerHealth: {Ready: true},
		opUsers:        m.opts.Restriction.UsersRequest(m.opts.UserSite),
		opServices:     m.opts.Restriction.CodesRequest("services", m.services.list(), m.opts.UserSite),
		opGroups:       m.opts.Restriction.CodesRequest("groups", m.groups.list(), m.opts.UserSite),
		opAttendants:   m.opts.Restriction.AttendantsRequest(m.services.list(), m.opts.UserSite),
		opUserStats:    m.opts.Restriction.UserStatsRequest(names),
		opOperators:    m.opts.Restriction.OperatorsRequest(m.store.Users.Rows(), m.opts.UserSite),
	} {
		m.setWanted(op, r, now)
	}
	m.setWantedCampaigns(now)
}

// unreportedChannels returns the channels whose states the server does not report; any user
// may be on them.
func (m *filterBuilder) unreportedChannels() map[model.Channel]bool {
	out := make(map[model.Channel]bool)
	for _, path := range m.subs.byOperation(opUsers).dialect.MissingFields(opUsers) {
		if ch, is := strings.CutPrefix(path, "statuses."); is {
			out[model.Channel(ch)] = true
		}
	}
	return out
}

// setWanted sets the request of an operation.
func (m *filterBuilder) setWanted(op string, r queries.Request, now time.Time) {
	if only := m.opts.Operations; len(only) > 0 && !slices.Contains(only, model.Op(op)) {
		r = queries.Request{}
	}
	s, follows := m.subs.byOperation(op), traitsByOperation[op].follows
	known := (follows == "" || m.isComplete(follows)) && (op != opCampaigns || !m.discovery.awaitsFirst)
	if s.setWanted(r, known, now); known && (follows == "" || follows == opUsers || m.subs.byOperation(follows).coverage.coversAll) {
		s.markCurrentUsers()
	}
}

// isComplete reports whether all records of an operation are known.
func (m *filterBuilder) isComplete(op string) bool {
	switch m.subs.byOperation(op).status.State {
	case model.SubLive, model.SubWaiting, model.SubPolling:
		return true
	case model.SubConnecting, model.SubSyncing, model.SubUnverified, model.SubStale, model.SubRefused, model.SubBackoff:
	}
	return false
}

// dropDeparted removes the figures of users who have logged out, so that no
// outdated figure stays on the board.
func (m *filterBuilder) dropDeparted() {
	if m.subs.byOperation(opUsers).status.VerifiedAt.IsZero() {
		return
	}
	gone := func(k model.UserStatKey) bool { return m.store.Users.Get(k.Username) == nil }
	m.subs.byOperation(opUserStats).requeryReturned(m.agents.DropDeparted(gone, m.env.ReceivedAt), m.env.ReceivedAt)
	m.subs.byOperation(opOperators).requeryReturned(m.operators.DropDeparted(gone, m.env.ReceivedAt), m.env.ReceivedAt)
}

// sortedUnique sorts the lists and removes duplicates.
func sortedUnique[T int64 | string](lists map[model.Channel][]T) map[model.Channel][]T {
	for ch, l := range lists {
		slices.Sort(l)
		lists[ch] = slices.Compact(l)
	}
	return lists
}
