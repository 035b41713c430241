package feeds

import (
	"slices"
	"time"

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
	opts     *Options
	services codes
	groups   codes
	stale    staleness
	shapedAt time.Time // when the users' filters were made last
	known    bool      // the users were all there then
}

// staleness says which filters have to be made again.
type staleness struct{ users, profiles, operators bool }

func newMembers(o *Options) members {
	return members{
		opts: o, services: newCodes(o.Services, o.Bounds.Codes), groups: newCodes(o.Groups, o.Bounds.Codes),
		stale: staleness{users: true, profiles: true, operators: true},
	}
}

// userMatters reports whether a user's update changes what is asked for: a state
// does not, a channel that he gains does.
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

// reshape makes the filters follow the members.
func (f *Feed) reshape(now time.Time) {
	m := &f.members
	if m.stale.users && (!m.known || now.Sub(m.shapedAt) >= reshapeAfter) {
		m.stale = staleness{profiles: true, operators: true}
		m.shapedAt = now
		f.reshapeUsers(now)
	}
	if m.stale.profiles {
		m.stale.profiles = false
		ids := make(map[model.Channel][]int64)
		for _, r := range f.store.UserStats.Rows() {
			if id := r.LoggedProfileID.Or(0); id != 0 {
				ids[r.Channel] = append(ids[r.Channel], id)
			}
		}
		f.want(opProfiles, m.opts.Narrow.ProfilesRequest(distinct(ids)), now)
	}
	if m.stale.operators {
		m.stale.operators = false
		ids := make(map[model.Channel][]int64)
		for _, r := range f.store.Operators.Rows() {
			if id := r.LoggedProfileID.Or(0); id != 0 {
				ids[model.Call] = append(ids[model.Call], id) // the filter has no other channel
			}
		}
		f.want(opOperatorProfiles, m.opts.Narrow.ProfilesRequest(distinct(ids)), now)
	}
}

// reshapeUsers makes the filters that follow from the users.
func (f *Feed) reshapeUsers(now time.Time) {
	m := &f.members
	names := make(map[model.Channel][]string)
	m.services.full, m.groups.full = false, false
	for _, u := range f.store.Users.Rows() {
		m.services.add(u.Services, now)
		m.groups.add(u.Skillsets, now)
		found := false
		for _, ch := range model.Channels() {
			if u.Statuses.On(ch) != "" {
				names[ch] = append(names[ch], u.Key())
				found = true
			}
		}
		if !found { // no state on any channel says nothing about the channels
			for _, ch := range model.Channels() {
				names[ch] = append(names[ch], u.Key())
			}
		}
	}
	names = distinct(names)
	f.dropStrangers()
	m.known = f.known(opUsers)
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
		opOperators:    m.opts.Narrow.OperatorsRequest(f.store.Users.Rows(), m.opts.UserSite),
		opCampaigns:    queries.CampaignsRequest(m.opts.Campaigns),
	} {
		f.want(op, r, now)
	}
}

// want sets what a subscription asks for, which follows from other records.
func (f *Feed) want(op string, r queries.Request, now time.Time) {
	if only := f.opts.Only; len(only) > 0 && !slices.Contains(only, model.Op(op)) {
		r = queries.Request{}
	}
	s, on := f.subs.named(op), f.subs.named(followed(op))
	known := f.known(on.doc.Root) || op == opCampaigns // which follow nobody
	if s.ask(r, known, now); known && (on.doc.Root == opUsers || on.cover.done) {
		s.gatherFrom(now)
	}
}

// known reports whether the records of an operation are all there.
func (f *Feed) known(op string) bool {
	switch f.subs.named(op).status.State {
	case model.SubLive, model.SubWaiting, model.SubPolling:
		return true
	case model.SubConnecting, model.SubSyncing, model.SubUnverified, model.SubStale, model.SubRefused, model.SubBackoff:
	}
	return false
}

// dropStrangers removes the figures of users who are no longer there: a figure
// of somebody who went home an hour ago is a lie.
func (f *Feed) dropStrangers() {
	if f.subs.named(opUsers).status.VerifiedAt.IsZero() {
		return
	}
	gone := func(k model.UserStatKey) bool { return f.store.Users.Get(k.Username) == nil }
	f.subs.named(opUserStats).missed(f.agents.DropStrangers(gone, f.env.Received), f.env.Received)
	f.subs.named(opOperators).missed(f.operators.DropStrangers(gone, f.env.Received), f.env.Received)
}

// missed asks for the full state when somebody is back before the filter has
// followed his going: nothing else brings his figures.
func (s *sub) missed(back []string, now time.Time) {
	if len(back) == 0 || s.active == "" {
		return
	}
	covered := s.parsed.has(s.have.Filter)
	if s.pending != "" {
		has, will := covered, s.parsed.has(s.fresh.Filter)
		covered = func(name string) bool { return has(name) || will(name) }
	}
	switch {
	case s.pending == "":
		for _, name := range back {
			s.gaps.add(name)
		}
	case slices.ContainsFunc(back, covered):
		s.lost(now)
	}
}

// distinct sorts the lists and drops what stands twice.
func distinct[T int64 | string](lists map[model.Channel][]T) map[model.Channel][]T {
	for ch, l := range lists {
		slices.Sort(l)
		lists[ch] = slices.Compact(l)
	}
	return lists
}
