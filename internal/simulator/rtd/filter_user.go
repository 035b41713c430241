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

// selectUsers compiles UserFilter. If the filter lists channels, its statuses and
// activity codes apply only to those channels.
func selectUsers(f userFilter) selection[world.User] {
	sites, statuses := optionalIDSet(f.Sites), optionalSet(f.Statuses)
	skillsets, services := optionalSet(f.Skillsets), optionalSet(f.Services)
	activities, channels := optionalSet(f.ActivityCodes), optionalSet(f.Channels)
	types := optionalSet(f.ProfileTypes)
	return selection[world.User]{match: func(u *world.User) bool {
		onStatus := func(channel int) bool { return statuses.allows(statusFamily(u.Statuses[channel])) }
		onActivity := func(channel int) bool { return activities.allows(u.ActivityCodes[channel]) }
		return contains(u.Surname, f.Surname) && contains(u.Name, f.Name) &&
			sites.allows(u.Site) && types.allows(u.ProfileType) &&
			skillsets.allowsAny(u.Skillsets...) && services.allowsAny(u.Services...) &&
			works(u, channels, func(int) bool { return true }) &&
			works(u, channels, onStatus) && works(u, channels, onActivity)
	}}
}

func contains(s string, part *string) bool { return part == nil || strings.Contains(s, *part) }

// works reports whether the user works on one of the channels for which ok returns
// true. A user without channels passes if the filter restricts nothing.
func works(u *world.User, channels set[string], ok func(channel int) bool) bool {
	for i, name := range world.Channels() {
		if u.Statuses[i] != "" && channels.allows(name) && ok(i) {
			return true
		}
	}
	return channels == nil && ok(0)
}

// statusFamily returns the value of UserStatusFilter that selects a state. The
// filter has no values for direct calls; they count as busy.
func statusFamily(status string) string {
	switch status {
	case world.BusyDNCallIn, world.BusyDNCallOut, world.BusyDNCallOutPrivate:
		return world.Busy
	}
	return status
}
