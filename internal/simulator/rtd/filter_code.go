package rtd

import (
	"slices"

	"wallboard/internal/simulator/world"
)

// codeFilter is the compiled filter of services, groups or attendants on a channel.
type codeFilter struct {
	codes          filterSet[string]
	components     filterSet[string] // only in filters of attendants
	customStatKeys filterSet[string]
	site           *int32
}

// siteFunc returns the site of the user profile with the given ID.
type siteFunc func(profileID int64) int64

// changesRecords reports whether the filter changes the content of records. A site restricts the user
// profiles in a record. It does not restrict the calls in the record, because calls belong to
// no site.
func (f *codeFilter) changesRecords() bool { return f.customStatKeys != nil || f.site != nil }

func (f *codeFilter) filterCustomStats(all []world.CustomStat) []world.CustomStat {
	if f.customStatKeys == nil {
		return all
	}
	selected := []world.CustomStat{}
	for _, s := range all {
		if f.customStatKeys.has(s.Key) {
			selected = append(selected, s)
		}
	}
	return selected
}

func (f *codeFilter) filterProfiles(p *world.ProfilesInStatus, siteOf siteFunc) {
	p.ProfileIDs = f.idsOfSite(p.ProfileIDs, siteOf)
	p.Count = int64(len(p.ProfileIDs))
}

func (f *codeFilter) filterActivities(all []world.ProfilesInActivity, siteOf siteFunc) []world.ProfilesInActivity {
	selected := slices.Clone(all)
	for i := range selected {
		selected[i].ProfileIDs = f.idsOfSite(selected[i].ProfileIDs, siteOf)
		selected[i].Count = int64(len(selected[i].ProfileIDs))
	}
	return selected
}

func (f *codeFilter) idsOfSite(all []int64, siteOf siteFunc) []int64 {
	selected := make([]int64, 0, len(all))
	for _, id := range all {
		if siteOf(id) == int64(*f.site) {
			selected = append(selected, id)
		}
	}
	return selected
}

func (f *codeFilter) narrowService(r *world.ServiceStat, siteOf siteFunc) *world.ServiceStat {
	c := *r
	c.CustomStats = f.filterCustomStats(r.CustomStats)
	if f.site != nil {
		u := &c.Users
		for _, p := range []*world.ProfilesInStatus{
			&u.BusyOnDNCallInUsers, &u.BusyOnDNCallOutUsers, &u.BusyOnDNCallOutUsersPrivate, &u.BusyOnDNCallUsers,
			&u.BusyOnServUsers, &u.BusyUsers, &u.LoggedUsers, &u.NotReadyUsers, &u.PostCallUsers, &u.ReadyUsers,
		} {
			f.filterProfiles(p, siteOf)
		}
		u.NotReadyUsersOnActivityCode = f.filterActivities(u.NotReadyUsersOnActivityCode, siteOf)
		u.ActivityCodeIndicators = f.filterActivities(u.ActivityCodeIndicators, siteOf)
	}
	return &c
}

func (f *codeFilter) narrowGroup(r *world.GroupStat, siteOf siteFunc) *world.GroupStat {
	c := *r
	c.CustomStats = f.filterCustomStats(r.CustomStats)
	if f.site != nil {
		u := &c.Users
		for _, p := range []*world.ProfilesInStatus{&u.LoggedUsers, &u.NotReadyUsers, &u.PostCallUsers, &u.ReadyUsers} {
			f.filterProfiles(p, siteOf)
		}
		u.NotReadyUsersOnActivityCode = f.filterActivities(u.NotReadyUsersOnActivityCode, siteOf)
	}
	return &c
}

func (f *codeFilter) narrowAttendant(r *world.AttendantStat, siteOf siteFunc) *world.AttendantStat {
	c := *r
	c.CustomStats = f.filterCustomStats(r.CustomStats)
	if f.site != nil {
		for _, p := range []*world.ProfilesInStatus{&c.Users.BusyUsers, &c.Users.ReadyUsers, &c.Users.LoggedUsers} {
			f.filterProfiles(p, siteOf)
		}
	}
	return &c
}

// selectCoded compiles the filters of records with a code and a channel. The functions code
// and channel return the code and the channel of a record. narrow returns a record reduced to
// the content that a filter allows.
func selectCoded[R any](
	filters [world.NumChannels]*codeFilter, code, channel func(*R) string,
	narrow func(*codeFilter, *R, siteFunc) *R, siteOf siteFunc,
) selection[R] {
	sel := selection[R]{match: func(r *R) bool {
		f := channelFilter(&filters, channel(r))
		return f != nil && f.codes.has(code(r))
	}}
	narrows := func(f *codeFilter) bool { return f != nil && f.changesRecords() }
	if slices.ContainsFunc(filters[:], narrows) {
		sel.project = func(r *R) *R { return narrow(channelFilter(&filters, channel(r)), r, siteOf) }
	}
	return sel
}

func selectServices(f byChannel[serviceChannelFilter], siteOf siteFunc) selection[world.ServiceStat] {
	filters := compileFilters(f, func(f *serviceChannelFilter) *codeFilter {
		return &codeFilter{codes: setOf(f.Services), customStatKeys: optionalSet(f.CustomStatKeys), site: f.UserSite}
	})
	return selectCoded(filters,
		func(r *world.ServiceStat) string { return r.Code }, func(r *world.ServiceStat) string { return r.Channel },
		(*codeFilter).narrowService, siteOf)
}

func selectGroups(f byChannel[groupChannelFilter], siteOf siteFunc) selection[world.GroupStat] {
	filters := compileFilters(f, func(f *groupChannelFilter) *codeFilter {
		return &codeFilter{codes: setOf(f.Groups), customStatKeys: optionalSet(f.CustomStatKeys), site: f.UserSite}
	})
	return selectCoded(filters,
		func(r *world.GroupStat) string { return r.Code }, func(r *world.GroupStat) string { return r.Channel },
		(*codeFilter).narrowGroup, siteOf)
}

func selectAttendants(f *attendantCallFilter, siteOf siteFunc) selection[world.AttendantStat] {
	var filters [world.NumChannels]*codeFilter
	if f != nil {
		filters[world.ChannelIndex(world.Call)] = &codeFilter{
			codes: setOf(f.Services), components: setOf(f.Component), customStatKeys: optionalSet(f.CustomStatKeys), site: f.UserSite,
		}
	}
	sel := selectCoded(filters,
		func(r *world.AttendantStat) string { return r.Code }, func(r *world.AttendantStat) string { return r.Channel },
		(*codeFilter).narrowAttendant, siteOf)
	byCode := sel.match
	sel.match = func(r *world.AttendantStat) bool {
		return byCode(r) && channelFilter(&filters, r.Channel).components.has(r.Component)
	}
	return sel
}
