package config

import (
	"slices"
	"strconv"

	"wallboard/model"
)

// Filter selects the users to show, and which of their figures and of the services' figures
// are requested (document 2, section Filters). An empty value does not filter; one match in
// a list is enough.
type Filter struct {
	Surname      string   `toml:"surname"`        // Users whose surname contains this text.
	Name         string   `toml:"name"`           // Users whose name contains this text.
	Sites        []int    `toml:"sites"`          // Users of these sites.
	Statuses     []string `toml:"statuses"`       // Users in these states: READY, NOT_READY, BUSY, NOT_READY_BUSY, BOOKED, WNR.
	Skillsets    []string `toml:"skillsets"`      // Users with these skillsets.
	Services     []string `toml:"services"`       // Users of these services.
	Activities   []string `toml:"activity_codes"` // Users with these activity codes.
	Channels     []string `toml:"channels"`       // Users with these channels: CALL, CUSTOM_1, CUSTOM_2, CUSTOM_3, VIDEO, CHAT, MAIL_ACD, LIVEHELP, OMNIDESK.
	ProfileTypes []string `toml:"profile_types"`  // Users of these types: AGENT, OPERATOR.

	CustomStatKeys []string `toml:"custom_stat_keys"`    // Custom figures of services, groups and attendants; empty: all.
	StatActivities []string `toml:"stat_activity_codes"` // Activity codes in the figures of users and profiles; empty: all.
}

// userStatuses returns the states of agents that document 2's UserStatusFilter accepts and that the
// platform uses.
func userStatuses() []string {
	return []string{"READY", "NOT_READY", "BUSY", "NOT_READY_BUSY", "BOOKED", "WNR"}
}

func (f *Filter) check(r *report, userSite int) {
	const path = "rtd.filter"
	checkPrintable(r, joinKey(path, "surname"), f.Surname)
	checkPrintable(r, joinKey(path, "name"), f.Name)
	for i, id := range f.Sites {
		if id < 1 || slices.Contains(f.Sites[:i], id) {
			r.add(elementKey(joinKey(path, "sites"), i), strconv.Itoa(id)+" is not positive or is listed twice", "allowed: the number of a site, once")
		}
	}
	if userSite > 0 && len(f.Sites) > 0 {
		r.add(joinKey(path, "sites"), "cannot be used with rtd.user_site", "keep one of the two")
	}
	for key, list := range map[string][]string{
		"skillsets": f.Skillsets, "services": f.Services, "activity_codes": f.Activities,
		"custom_stat_keys": f.CustomStatKeys, "stat_activity_codes": f.StatActivities,
	} {
		checkCodes(r, joinKey(path, key), list)
	}
	var channels []string
	for _, ch := range model.Channels() {
		channels = append(channels, string(ch))
	}
	for key, values := range map[string]struct{ list, allowed []string }{
		"statuses": {f.Statuses, userStatuses()}, "channels": {f.Channels, channels}, "profile_types": {f.ProfileTypes, []string{"AGENT", "OPERATOR"}},
	} {
		for i, value := range values.list {
			elementPath := elementKey(joinKey(path, key), i)
			checkOneOf(r, elementPath, value, values.allowed)
			if slices.Contains(values.list[:i], value) {
				r.add(elementPath, quoteValue(value)+" is listed twice", "keep one of them")
			}
		}
	}
}
