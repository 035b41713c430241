package rtd

import (
	"strings"

	"wallboard/internal/simulator/world"
)

type userFilter struct {
	Surname, Name *string
	Sites         *[]int32
	Statuses      *[]string
	Skillsets     *[]string
	Services      *[]string
	ActivityCodes *[]string
	Channels      *[]string
	ProfileTypes  *[]string
}

// selectUsers compiles UserFilter of document 2. If the filter lists channels, its statuses
// and activity codes apply only on the listed channels.
func selectUsers(f userFilter) selection[world.User] {
	sites, statuses := optionalIDSet(f.Sites), optionalSet(f.Statuses)
	skillsets, services := optionalSet(f.Skillsets), optionalSet(f.Services)
	activities, channels := optionalSet(f.ActivityCodes), optionalSet(f.Channels)
	types := optionalSet(f.ProfileTypes)
	return selection[world.User]{match: func(u *world.User) bool {
		onStatus := func(channel int) bool { return statuses.allows(statusFilterValue(u.Statuses[channel])) }
		onActivity := func(channel int) bool { return activities.allows(u.ActivityCodes[channel]) }
		return containsPart(u.Surname, f.Surname) && containsPart(u.Name, f.Name) &&
			sites.allows(u.Site) && types.allows(u.ProfileType) &&
			skillsets.allowsAny(u.Skillsets...) && services.allowsAny(u.Services...) &&
			worksOnChannel(u, channels, func(int) bool { return true }) &&
			worksOnChannel(u, channels, onStatus) && worksOnChannel(u, channels, onActivity)
	}}
}

func containsPart(s string, part *string) bool { return part == nil || strings.Contains(s, *part) }

// worksOnChannel reports whether the user works on a channel of the set for which matches
// returns true. A nil set contains all channels. With a nil set, matches(0) is sufficient,
// because a user without channels must pass an unrestricted filter.
func worksOnChannel(u *world.User, channels filterSet[string], matches func(channel int) bool) bool {
	for i, name := range world.Channels() {
		if u.Statuses[i] != "" && channels.allows(name) && matches(i) {
			return true
		}
	}
	return channels == nil && matches(0)
}

// statusFilterValue returns the value of document 2's UserStatusFilter that selects a state.
// UserStatusFilter has no values for the states of direct calls, which count as busy.
func statusFilterValue(status string) string {
	switch status {
	case world.BusyDNCallIn, world.BusyDNCallOut, world.BusyDNCallOutPrivate:
		return world.Busy
	}
	return status
}
