package simulator

import (
	"cmp"
	"slices"

	"wallboard/simulator/world"
)

// recordKey names a record of any kind and orders the records of one kind:
// code, username or id, then channel, then component, both in document 2's
// order.
type recordKey struct {
	name      string
	id        int64
	channel   int
	component int
}

func (k recordKey) compare(o recordKey) int {
	return cmp.Or(
		cmp.Compare(k.name, o.name),
		cmp.Compare(k.id, o.id),
		cmp.Compare(k.channel, o.channel),
		cmp.Compare(k.component, o.component),
	)
}

// channelIndex returns the place of a channel in document 2's order.
func channelIndex(channel string) int {
	channels := world.Channels()
	return slices.Index(channels[:], channel)
}

func componentIndex(component string) int {
	return slices.Index([]string{
		world.ComponentAll, world.ComponentInternal, world.ComponentExternal, world.ComponentReturns,
	}, component)
}

func serviceKey(r *world.ServiceStat) recordKey {
	return recordKey{name: r.Code, channel: channelIndex(r.Channel)}
}

func groupKey(r *world.GroupStat) recordKey {
	return recordKey{name: r.Code, channel: channelIndex(r.Channel)}
}

func userKey(r *world.User) recordKey { return recordKey{name: r.Username} }

func userStatKey(r *world.UserStat) recordKey {
	return recordKey{name: r.Username, channel: channelIndex(r.Channel)}
}

func profileKey(r *world.UserProfileStat) recordKey {
	return recordKey{id: r.ID, channel: channelIndex(r.Channel)}
}

func campaignKey(r *world.CampaignStat) recordKey { return recordKey{id: r.CampaignID} }

func attendantKey(r *world.AttendantStat) recordKey {
	return recordKey{name: r.Code, channel: channelIndex(r.Channel), component: componentIndex(r.Component)}
}

func operatorKey(r *world.OperatorStat) recordKey {
	return recordKey{name: r.Username, channel: channelIndex(r.Channel)}
}

// sortByKey sorts records by key.
func sortByKey[R any](records []*R, keyOf func(*R) recordKey) {
	slices.SortFunc(records, func(a, b *R) int { return keyOf(a).compare(keyOf(b)) })
}
