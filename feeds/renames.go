package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/model"
)

// A service or group whose last agent goes home is still requested, because
// callers may wait. One that the platform gave a new code must not be: nothing
// but zeros arrives for the old code. Users reveal the change: each user with
// the old code has, in its place, a new code that no user had before.

// codeRenames tracks codes that were replaced by others in the users' lists. The
// feed's mutex guards it.
type codeRenames struct {
	had   map[string][]string  // codes of each user at the last check
	to    map[string]string    // old code → new code; "" if users disagree
	since map[string]time.Time // old codes that no user has any more → since when
}

// forgetRenames limits how long a code waits for the full state that decides.
const forgetRenames = 10 * time.Minute

// compareUsers compares the users' codes with the previous ones. known reports whether
// a code was known before.
func (r *codeRenames) compareUsers(users []*model.User, of func(*model.User) []string, known func(code string) bool, now time.Time) {
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
			delete(r.since, from) // not all users have changed yet
		case to == "" || !r.since[from].IsZero() && now.Sub(r.since[from]) > forgetRenames:
			delete(r.to, from)
			delete(r.since, from)
		case r.since[from].IsZero():
			r.since[from] = now
		}
	}
}

// compare records the changes of one user. A list that grew or shrank is not a
// rename.
func (r *codeRenames) compare(before, now []string, known func(code string) bool) {
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

// gone returns the codes that no longer exist according to a full state
// requested at verified, after the change. empty reports whether a code has
// only zeros.
func (r *codeRenames) gone(verified time.Time, empty func(code string) bool) []string {
	var gone []string
	for _, from := range slices.Sorted(maps.Keys(r.since)) {
		if !verified.After(r.since[from]) {
			continue
		}
		if empty(from) {
			gone = append(gone, from)
		}
		delete(r.to, from) // otherwise it is still in use
		delete(r.since, from)
	}
	return gone
}

// lookForRenames looks for renamed codes before the users' codes are added, and
// queries the full state of the old ones.
func (m *members) lookForRenames(now time.Time) {
	users := m.store.Users.Rows()
	for _, c := range []struct {
		r     *codeRenames
		of    func(*model.User) []string
		codes *codes
		ops   []string
	}{
		{&m.renamedServices, func(u *model.User) []string { return u.Services }, &m.services, []string{opServices, opAttendants}},
		{&m.renamedGroups, func(u *model.User) []string { return u.Skillsets }, &m.groups, []string{opGroups}},
	} {
		before := len(c.r.since)
		c.r.compareUsers(users, c.of, func(code string) bool { _, known := c.codes.set[code]; return known }, now)
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

// dropRenamed removes codes that no longer exist.
func (m *members) dropRenamed() {
	for _, c := range []struct {
		r     *codeRenames
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
		for _, code := range c.r.gone(m.subs.named(c.op).status.VerifiedAt, c.empty) {
			delete(c.codes.set, code)
			c.codes.sorted, m.stale.users = nil, true
		}
	}
}

// allZero reports whether all figures are zero or unknown.
func allZero(figures ...model.Int) bool {
	return !slices.ContainsFunc(figures, func(n model.Int) bool { return n.Or(0) != 0 })
}

func (m *members) emptyService(code string) bool {
	return !slices.ContainsFunc(m.store.Services.Rows(), func(s *model.Service) bool {
		c := &s.ChannelStats
		return s.Code.String() == code && !allZero(c.CurrentCalls, c.QueuedCalls, c.ConnectedCall, c.ReceivedCalls, c.AnsweredCalls, s.UserStats.LoggedUsers.Count)
	})
}

func (m *members) emptyGroup(code string) bool {
	return !slices.ContainsFunc(m.store.Groups.Rows(), func(g *model.Group) bool {
		c := &g.ChannelStats
		return g.Code.String() == code && !allZero(c.QueuedCalls, c.ReceivedCalls, c.AnsweredCalls, g.UserStats.LoggedUsers.Count)
	})
}
