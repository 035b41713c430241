package feeds

import (
	"slices"
	"strings"
	"time"

	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
	"wallboard/model"
)

// members is who and what the subscriptions ask for. Users drive it: their
// names, channels, services, skillsets and profiles make the filters of the
// other subscriptions (document 2 has no operation that lists services or
// groups).
//
// What a filter names must be sorted, so that the same members make the same
// filter.
type members struct {
	opts      *Options
	subs      subs
	store     *model.Store
	agents    *picture.Table[model.UserStatKey, model.UserStat, *model.UserStat]
	operators *picture.Table[model.UserStatKey, model.Operator, *model.Operator]
	env       *merge.Env

	services  codes
	groups    codes
	discovery discovery

	renamedServices, renamedGroups renames

	stale    staleness
	shapedAt time.Time // when the users' filters were made last
	known    bool      // the users were all there then
}

// staleness says which filters have to be made again.
type staleness struct{ users, profiles, operators bool }

// begin starts with nobody but whom the options name.
func (m *members) begin() {
	o := m.opts
	m.services, m.groups = newCodes(o.Services, o.Bounds.Codes), newCodes(o.Groups, o.Bounds.Codes)
	m.discovery.begin(o.FindCampaigns)
	m.renamedServices, m.renamedGroups = renames{}, renames{}
	m.stale, m.shapedAt, m.known = staleness{users: true, profiles: true, operators: true}, time.Time{}, false
}

// change follows other options. What was found once is found no more when its last
// agent has gone home: it is kept.
func (m *members) change() {
	before := *m
	m.begin()
	m.shapedAt, m.known = before.shapedAt, before.known
	m.services.inherit(before.services)
	m.groups.inherit(before.groups)
	m.discovery.keep(before.discovery)
}

// userMatters reports whether a user's update changes what is asked for: a state
// does not, a channel that they gain does.
func userMatters(old, u *model.User) bool {
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

func profileMatters(old, r *model.UserStat) bool {
	return old == nil || old.LoggedProfileID != r.LoggedProfileID
}

func operatorMatters(old, r *model.Operator) bool {
	return old == nil || old.LoggedProfileID != r.LoggedProfileID
}

// pace is how long users who come and go are collected before the filters are made
// again, which takes the longer the more they are.
func (m *members) pace() time.Duration {
	return max(reshapeAfter, time.Duration(m.store.Users.Len())*reshapePerUser)
}

// reshape makes the filters follow the members.
func (m *members) reshape(now time.Time) {
	m.dropRenamed()
	if m.stale.users && (!m.known || now.Sub(m.shapedAt) >= m.pace()) {
		m.stale = staleness{profiles: true, operators: true}
		m.shapedAt = now
		m.reshapeUsers(now)
	}
	if m.stale.profiles {
		m.stale.profiles = false
		ids := make(map[model.Channel][]int64)
		for _, r := range m.store.UserStats.Rows() {
			if id := r.LoggedProfileID.Or(0); id != 0 {
				ids[r.Channel] = append(ids[r.Channel], id)
			}
		}
		m.want(opProfiles, m.opts.Narrow.ProfilesRequest(distinct(ids)), now)
	}
	if m.stale.operators {
		m.stale.operators = false
		ids := make(map[model.Channel][]int64)
		for _, r := range m.store.Operators.Rows() {
			if id := r.LoggedProfileID.Or(0); id != 0 {
				ids[model.Call] = append(ids[model.Call], id) // the filter has no other channel
			}
		}
		m.want(opOperatorProfiles, m.opts.Narrow.ProfilesRequest(distinct(ids)), now)
	}
}

// reshapeUsers makes the filters that follow from the users.
func (m *members) reshapeUsers(now time.Time) {
	names := make(map[model.Channel][]string)
	m.services.full, m.groups.full = false, false
	untold := m.untold()
	m.lookForRenames(now)
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
		if !found { // no state on any channel says nothing about the channels
			for _, ch := range model.Channels() {
				names[ch] = append(names[ch], u.Key())
			}
		}
	}
	names = distinct(names)
	m.dropStrangers()
	m.known = m.has(opUsers)
	if m.known {
		services, groups := m.services.forget(now), m.groups.forget(now)
		m.stale.users = services || groups
	}
	for op, r := range map[string]queries.Request{
		opVersion:      {Ready: true},
		opServerHealth: {Ready: true},
		opUsers:        m.opts.Narrow.UsersRequest(m.opts.UserSite),
		opServices:     m.opts.Narrow.CodesRequest("services", m.services.list(), m.opts.UserSite),
		opGroups:       m.opts.Narrow.CodesRequest("groups", m.groups.list(), m.opts.UserSite),
		opAttendants:   m.opts.Narrow.AttendantsRequest(m.services.list(), m.opts.UserSite),
		opUserStats:    m.opts.Narrow.NamesRequest(names),
		opOperators:    m.opts.Narrow.OperatorsRequest(m.store.Users.Rows(), m.opts.UserSite),
	} {
		m.want(op, r, now)
	}
	m.wantCampaigns(now)
}

// untold are the channels whose states the server does not tell: whoever is there may be
// on them.
func (m *members) untold() map[model.Channel]bool {
	out := make(map[model.Channel]bool)
	for _, path := range m.subs.named(opUsers).speech.Lacks(opUsers) {
		if ch, is := strings.CutPrefix(path, "statuses."); is {
			out[model.Channel(ch)] = true
		}
	}
	return out
}

// want sets what a subscription asks for, which follows from other records.
func (m *members) want(op string, r queries.Request, now time.Time) {
	if only := m.opts.Only; len(only) > 0 && !slices.Contains(only, model.Op(op)) {
		r = queries.Request{}
	}
	s, follows := m.subs.named(op), traits[op].follows
	known := (follows == "" || m.has(follows)) && (op != opCampaigns || !m.discovery.awaited)
	if s.ask(r, known, now); known && (follows == "" || follows == opUsers || m.subs.named(follows).cover.done) {
		s.gatherFrom()
	}
}

// has reports whether the records of an operation are all there.
func (m *members) has(op string) bool {
	switch m.subs.named(op).status.State {
	case model.SubLive, model.SubWaiting, model.SubPolling:
		return true
	case model.SubConnecting, model.SubSyncing, model.SubUnverified, model.SubStale, model.SubRefused, model.SubBackoff:
	}
	return false
}

// dropStrangers removes the figures of users who are no longer there: a figure
// of somebody who went home an hour ago is a lie.
func (m *members) dropStrangers() {
	if m.subs.named(opUsers).status.VerifiedAt.IsZero() {
		return
	}
	gone := func(k model.UserStatKey) bool { return m.store.Users.Get(k.Username) == nil }
	m.subs.named(opUserStats).missed(m.agents.DropStrangers(gone, m.env.Received), m.env.Received)
	m.subs.named(opOperators).missed(m.operators.DropStrangers(gone, m.env.Received), m.env.Received)
}

// distinct sorts the lists and drops what stands twice.
func distinct[T int64 | string](lists map[model.Channel][]T) map[model.Channel][]T {
	for ch, l := range lists {
		slices.Sort(l)
		lists[ch] = slices.Compact(l)
	}
	return lists
}
