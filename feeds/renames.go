package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/model"
)

// A service or a group whose last agent goes home is asked for on: callers may still
// wait. One that the platform gives another code is not: nothing comes of the old
// code any more, or nothing but zeros. The users tell: each who had the old code has
// one in its place that nobody had before.

// renames are the codes that users had changed for others. The feed's mutex guards
// them.
type renames struct {
	had   map[string][]string  // what users had at the last look
	to    map[string]string    // old codes and new ones; "" where users disagree
	since map[string]time.Time // old codes that no user has any more, and since when
}

// forgetRenames bounds how long a code waits for the full state that decides.
const forgetRenames = 10 * time.Minute

// look compares what users have with what they had. known reports whether a code was
// there before.
func (r *renames) look(users []*model.User, of func(*model.User) []string, known func(code string) bool, now time.Time) {
	had, held := r.had, make(map[string]bool)
	r.had = make(map[string][]string, len(users))
	if r.to == nil {
		r.to, r.since = make(map[string]string), make(map[string]time.Time)
	}
	for _, u := range users {
		codes := of(u)
		r.had[u.Key()] = codes
		if before, there := had[u.Key()]; there && !slices.Equal(before, codes) {
			r.compare(before, codes, known)
		}
		for _, c := range codes {
			held[c] = true
		}
	}
	for from, to := range r.to {
		switch {
		case held[from]:
			delete(r.since, from) // not all have changed yet
		case to == "" || !r.since[from].IsZero() && now.Sub(r.since[from]) > forgetRenames:
			delete(r.to, from)
			delete(r.since, from)
		case r.since[from].IsZero():
			r.since[from] = now
		}
	}
}

// compare takes note of what one user has changed. A list that became longer or
// shorter is no change of a code.
func (r *renames) compare(before, now []string, known func(code string) bool) {
	for i, from := range before {
		if slices.Contains(now, from) {
			continue
		}
		to := ""
		if len(now) == len(before) && !slices.Contains(before, now[i]) {
			to = now[i]
		}
		told, there := r.to[from]
		switch {
		case there && told != to:
			r.to[from] = ""
		case !there && to != "" && !known(to):
			r.to[from] = to
		case !there:
			r.to[from] = ""
		}
	}
}

// renamed returns the codes that are no more, as far as full states taken over since
// then say. verified is when the last was asked for; empty reports whether there is
// nothing but zeros of a code.
func (r *renames) renamed(verified time.Time, empty func(code string) bool) []string {
	var gone []string
	for _, from := range slices.Sorted(maps.Keys(r.since)) {
		if !verified.After(r.since[from]) {
			continue
		}
		if empty(from) {
			gone = append(gone, from)
		}
		delete(r.to, from) // else it is still alive
		delete(r.since, from)
	}
	return gone
}

// lookForRenames looks for codes that users have changed for others, before those of
// the users are taken over. Of the old codes the full state is asked for.
func (m *members) lookForRenames(now time.Time) {
	users := m.store.Users.Rows()
	for _, c := range []struct {
		r     *renames
		of    func(*model.User) []string
		codes *codes
		ops   []string
	}{
		{&m.renamedServices, func(u *model.User) []string { return u.Services }, &m.services, []string{opServices, opAttendants}},
		{&m.renamedGroups, func(u *model.User) []string { return u.Skillsets }, &m.groups, []string{opGroups}},
	} {
		before := len(c.r.since)
		c.r.look(users, c.of, func(code string) bool { _, known := c.codes.set[code]; return known }, now)
		if len(c.r.since) == before || c.codes.pinned {
			continue
		}
		for _, op := range c.ops {
			if s := m.subs.named(op); s.active != "" {
				s.losses.resync, s.losses.askedAt = true, time.Time{}
			}
		}
	}
}

// dropRenamed forgets the codes that are no more.
func (m *members) dropRenamed() {
	for _, c := range []struct {
		r     *renames
		op    string
		codes *codes
		empty func(code string) bool
	}{
		{&m.renamedServices, opServices, &m.services, m.emptyService},
		{&m.renamedGroups, opGroups, &m.groups, m.emptyGroup},
	} {
		if len(c.r.since) == 0 || c.codes.pinned {
			continue
		}
		for _, code := range c.r.renamed(m.subs.named(c.op).status.VerifiedAt, c.empty) {
			delete(c.codes.set, code)
			c.codes.sorted, m.stale.users = nil, true
		}
	}
}

// none reports whether all of some figures are zero or unknown.
func none(figures ...model.Int) bool {
	return !slices.ContainsFunc(figures, func(n model.Int) bool { return n.Or(0) != 0 })
}

func (m *members) emptyService(code string) bool {
	return !slices.ContainsFunc(m.store.Services.Rows(), func(s *model.Service) bool {
		c := &s.ChannelStats
		return s.Code.String() == code && !none(c.CurrentCalls, c.QueuedCalls, c.ConnectedCall, c.ReceivedCalls, c.AnsweredCalls, s.UserStats.LoggedUsers.Count)
	})
}

func (m *members) emptyGroup(code string) bool {
	return !slices.ContainsFunc(m.store.Groups.Rows(), func(g *model.Group) bool {
		c := &g.ChannelStats
		return g.Code.String() == code && !none(c.QueuedCalls, c.ReceivedCalls, c.AnsweredCalls, g.UserStats.LoggedUsers.Count)
	})
}
