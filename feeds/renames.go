package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/model"
)

// A service or group stays requested when its last agent logs out, because callers may still wait.
// It must not stay requested if the platform gave it a new code, because the old code only gets
// zeros. The users' lists show such a rename: each user with the old code now has, at the same
// place, a code that no user had before.

// codeRenames tracks codes that were replaced by others in the users' lists. The
// feed's mutex guards it.
type codeRenames struct {
	previousCodes map[string][]string  // codes of each user at the last check
	renamedTo     map[string]string    // old code → new code; "" if users disagree
	unusedSince   map[string]time.Time // old codes that no user has any more → since when
}

// maxRenameAge limits how long an old code waits for the full state that confirms the rename.
const maxRenameAge = 10 * time.Minute

// compareUsers compares the users' codes with the previous ones. wasKnown reports
// whether a code was known before.
func (r *codeRenames) compareUsers(users []*model.User, codesOf func(*model.User) []string, wasKnown func(code string) bool, now time.Time) {
	had, held := r.previousCodes, make(map[string]bool)
	r.previousCodes = make(map[string][]string, len(users))
	if r.renamedTo == nil {
		r.renamedTo, r.unusedSince = make(map[string]string), make(map[string]time.Time)
	}
	for _, u := range users {
		codes := codesOf(u)
		r.previousCodes[u.Key()] = codes
		if before, there := had[u.Key()]; there && !slices.Equal(before, codes) {
			r.compareUser(before, codes, wasKnown)
		}
		for _, c := range codes {
			held[c] = true
		}
	}
	for from, to := range r.renamedTo {
		switch {
		case held[from]:
			delete(r.unusedSince, from) // not all users have changed yet
		case to == "" || !r.unusedSince[from].IsZero() && now.Sub(r.unusedSince[from]) > maxRenameAge:
			delete(r.renamedTo, from)
			delete(r.unusedSince, from)
		case r.unusedSince[from].IsZero():
			r.unusedSince[from] = now
		}
	}
}

// compareUser records the changes of one user. A list that grew or shrank is not a
// rename.
func (r *codeRenames) compareUser(before, now []string, wasKnown func(code string) bool) {
	for i, from := range before {
		if slices.Contains(now, from) {
			continue
		}
		to := ""
		if len(now) == len(before) && !slices.Contains(before, now[i]) {
			to = now[i]
		}
		told, there := r.renamedTo[from]
		switch {
		case there && told != to:
			r.renamedTo[from] = ""
		case !there && to != "" && !wasKnown(to):
			r.renamedTo[from] = to
		case !there:
			r.renamedTo[from] = ""
		}
	}
}

// goneCodes returns the codes that were already unused when the full state was verified and had
// only zeros in it. It stops tracking all codes that were unused then. isEmpty reports whether a
// code has only zeros.
func (r *codeRenames) goneCodes(verified time.Time, isEmpty func(code string) bool) []string {
	var gone []string
	for _, from := range slices.Sorted(maps.Keys(r.unusedSince)) {
		if !verified.After(r.unusedSince[from]) {
			continue
		}
		if isEmpty(from) {
			gone = append(gone, from)
		}
		delete(r.renamedTo, from) // a code with figures is still in use
		delete(r.unusedSince, from)
	}
	return gone
}

// detectRenames detects renamed codes before the users' codes are added. For each
// renamed code it requests the full state, which shows whether the old code is empty.
func (b *filterBuilder) detectRenames(now time.Time) {
	users := b.store.Users.Rows()
	for _, c := range []struct {
		r     *codeRenames
		of    func(*model.User) []string
		codes *codes
		ops   []string
	}{
		{&b.renamedServices, func(u *model.User) []string { return u.Services }, &b.services, []string{opServices, opAttendants}},
		{&b.renamedGroups, func(u *model.User) []string { return u.Skillsets }, &b.groups, []string{opGroups}},
	} {
		before := len(c.r.unusedSince)
		c.r.compareUsers(users, c.of, func(code string) bool { _, known := c.codes.lastUsed[code]; return known }, now)
		if len(c.r.unusedSince) == before || c.codes.pinned {
			continue
		}
		for _, op := range c.ops {
			if s := b.subs.byOperation(op); s.activeID != "" {
				s.losses.needsResync, s.losses.queriedAt = true, time.Time{}
			}
		}
	}
}

// dropRenamed removes codes that no longer exist.
func (b *filterBuilder) dropRenamed() {
	for _, c := range []struct {
		r     *codeRenames
		op    string
		codes *codes
		empty func(code string) bool
	}{
		{&b.renamedServices, opServices, &b.services, b.isEmptyService},
		{&b.renamedGroups, opGroups, &b.groups, b.isEmptyGroup},
	} {
		if len(c.r.unusedSince) == 0 || c.codes.pinned {
			continue
		}
		for _, code := range c.r.goneCodes(b.subs.byOperation(c.op).status.VerifiedAt, c.empty) {
			delete(c.codes.lastUsed, code)
			c.codes.sorted, b.staleFilters.users = nil, true
		}
	}
}

// allZero reports whether all figures are zero or unknown.
func allZero(figures ...model.Int) bool {
	return !slices.ContainsFunc(figures, func(n model.Int) bool { return n.Or(0) != 0 })
}

func (b *filterBuilder) isEmptyService(code string) bool {
	return !slices.ContainsFunc(b.store.Services.Rows(), func(s *model.Service) bool {
		c := &s.ChannelStats
		return s.Code.String() == code && !allZero(c.CurrentCalls, c.QueuedCalls, c.ConnectedCall, c.ReceivedCalls, c.AnsweredCalls, s.UserStats.LoggedUsers.Count)
	})
}

func (b *filterBuilder) isEmptyGroup(code string) bool {
	return !slices.ContainsFunc(b.store.Groups.Rows(), func(g *model.Group) bool {
		c := &g.ChannelStats
		return g.Code.String() == code && !allZero(c.QueuedCalls, c.ReceivedCalls, c.AnsweredCalls, g.UserStats.LoggedUsers.Count)
	})
}
