package feeds

import (
	"maps"
	"slices"
	"time"

	"wallboard/model"
)

// A service or group stays requested when its last agent logs out, because callers may still be
// waiting. If the platform gives it a new code, the old code must be dropped, because its figures
// stay zero. The users' lists of codes show such a rename: each user with the old code now has a
// code that no user had before, at the same place in the list.

// codeRenames tracks codes that were replaced by other codes in the users' lists. The feed's mutex
// guards it.
type codeRenames struct {
	previousCodes map[string][]string  // codes of each user at the last call of compareUsers
	renamedTo     map[string]string    // old code → new code; "": there is no new code, or users have different ones
	unusedSince   map[string]time.Time // old codes that no user has any more → when that was noticed
}

// maxRenameAge limits how long a rename waits for the full state that shows whether the old code is
// still in use.
const maxRenameAge = 10 * time.Minute

// compareUsers compares the users' codes with those of the previous call and records renamed codes.
// codesOf returns the codes of a user. wasKnown reports whether a code was known before this call.
func (r *codeRenames) compareUsers(users []*model.User, codesOf func(*model.User) []string, wasKnown func(code string) bool, now time.Time) {
	previous, current := r.previousCodes, make(map[string]bool)
	r.previousCodes = make(map[string][]string, len(users))
	if r.renamedTo == nil {
		r.renamedTo, r.unusedSince = make(map[string]string), make(map[string]time.Time)
	}
	for _, u := range users {
		codes := codesOf(u)
		r.previousCodes[u.Key()] = codes
		if before, there := previous[u.Key()]; there && !slices.Equal(before, codes) {
			r.compareUser(before, codes, wasKnown)
		}
		for _, c := range codes {
			current[c] = true
		}
	}
	for from, to := range r.renamedTo {
		switch {
		case current[from]:
			delete(r.unusedSince, from) // some users still have the old code
		case to == "" || !r.unusedSince[from].IsZero() && now.Sub(r.unusedSince[from]) > maxRenameAge:
			delete(r.renamedTo, from)
			delete(r.unusedSince, from)
		case r.unusedSince[from].IsZero():
			r.unusedSince[from] = now
		}
	}
}

// compareUser records the renamed codes of one user. before and now are the codes at the previous
// call and at this call of compareUsers. If the list has grown or shrunk, no code counts as
// renamed.
func (r *codeRenames) compareUser(before, now []string, wasKnown func(code string) bool) {
	for i, from := range before {
		if slices.Contains(now, from) {
			continue
		}
		to := ""
		if len(now) == len(before) && !slices.Contains(before, now[i]) {
			to = now[i]
		}
		newCode, found := r.renamedTo[from]
		switch {
		case found && newCode != to:
			r.renamedTo[from] = ""
		case !found && to != "" && !wasKnown(to):
			r.renamedTo[from] = to
		case !found:
			r.renamedTo[from] = ""
		}
	}
}

// confirmedOldCodes returns the renamed codes whose figures are all zero in a full state. verified is when
// that state was queried; renames that were noticed later are skipped. isEmpty reports whether all
// figures of a code are zero. confirmedOldCodes stops tracking the codes that it has checked.
func (r *codeRenames) confirmedOldCodes(verified time.Time, isEmpty func(code string) bool) []string {
	var gone []string
	for _, from := range slices.Sorted(maps.Keys(r.unusedSince)) {
		if !verified.After(r.unusedSince[from]) {
			continue
		}
		if isEmpty(from) {
			gone = append(gone, from)
		}
		delete(r.renamedTo, from) // a code that still has figures is in use
		delete(r.unusedSince, from)
	}
	return gone
}

// detectRenames detects renamed codes and requests the full state of the affected operations, which
// shows whether the old codes are empty. It must be called before the filters get the users'
// current codes.
func (b *filterBuilder) detectRenames(now time.Time) {
	users := b.store.Users.Rows()
	for _, c := range []struct {
		r     *codeRenames
		of    func(*model.User) []string
		codes *codeSet
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

// dropRenamed removes the old codes of confirmed renames from the filters.
func (b *filterBuilder) dropRenamed() {
	for _, c := range []struct {
		r     *codeRenames
		op    string
		codes *codeSet
		empty func(code string) bool
	}{
		{&b.renamedServices, opServices, &b.services, b.isUnusedService},
		{&b.renamedGroups, opGroups, &b.groups, b.isUnusedGroup},
	} {
		if len(c.r.unusedSince) == 0 || c.codes.pinned {
			continue
		}
		for _, code := range c.r.confirmedOldCodes(b.subs.byOperation(c.op).status.VerifiedAt, c.empty) {
			delete(c.codes.lastUsed, code)
			c.codes.sorted, b.staleFilters.users = nil, true
		}
	}
}

// allZero reports whether all figures are zero or unknown.
func allZero(figures ...model.Int) bool {
	return !slices.ContainsFunc(figures, func(n model.Int) bool { return n.Or(0) != 0 })
}

func (b *filterBuilder) isUnusedService(code string) bool {
	return !slices.ContainsFunc(b.store.Services.Rows(), func(s *model.Service) bool {
		c := &s.ChannelStats
		return s.Code.String() == code && !allZero(c.CurrentCalls, c.QueuedCalls, c.ConnectedCall, c.ReceivedCalls, c.AnsweredCalls, s.UserStats.LoggedUsers.Count)
	})
}

func (b *filterBuilder) isUnusedGroup(code string) bool {
	return !slices.ContainsFunc(b.store.Groups.Rows(), func(g *model.Group) bool {
		c := &g.ChannelStats
		return g.Code.String() == code && !allZero(c.QueuedCalls, c.ReceivedCalls, c.AnsweredCalls, g.UserStats.LoggedUsers.Count)
	})
}
