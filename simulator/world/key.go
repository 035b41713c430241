package world

import (
	"cmp"
	"slices"
)

// Key names a record of any kind and orders the records of one kind: code,
// username or id, then channel, then component, both in document 2's order.
type Key struct {
	name      string
	id        int64
	channel   int
	component int
}

// Compare orders keys.
func (k Key) Compare(o Key) int {
	return cmp.Or(
		cmp.Compare(k.name, o.name),
		cmp.Compare(k.id, o.id),
		cmp.Compare(k.channel, o.channel),
		cmp.Compare(k.component, o.component),
	)
}

// ChannelIndex returns the place of a channel in document 2's order, -1 for
// what is none.
func ChannelIndex(channel string) int {
	channels := Channels()
	return slices.Index(channels[:], channel)
}

func componentIndex(component string) int {
	return slices.Index([]string{ComponentAll, ComponentInternal, ComponentExternal, ComponentReturns}, component)
}

// UserKey is the key of the user of a name.
func UserKey(username string) Key { return Key{name: username} }

// Key names the record.
func (r *User) Key() Key { return UserKey(r.Username) }

// Key names the record.
func (r *ServiceStat) Key() Key { return Key{name: r.Code, channel: ChannelIndex(r.Channel)} }

// Key names the record.
func (r *GroupStat) Key() Key { return Key{name: r.Code, channel: ChannelIndex(r.Channel)} }

// Key names the record.
func (r *UserStat) Key() Key { return Key{name: r.Username, channel: ChannelIndex(r.Channel)} }

// Key names the record.
func (r *UserProfileStat) Key() Key { return Key{id: r.ID, channel: ChannelIndex(r.Channel)} }

// Key names the record.
func (r *CampaignStat) Key() Key { return Key{id: r.CampaignID} }

// Key names the record.
func (r *AttendantStat) Key() Key {
	return Key{name: r.Code, channel: ChannelIndex(r.Channel), component: componentIndex(r.Component)}
}

// Key names the record.
func (r *OperatorStat) Key() Key { return Key{name: r.Username, channel: ChannelIndex(r.Channel)} }

// SortByKey sorts records by key.
func SortByKey[R any](records []*R, keyOf func(*R) Key) {
	slices.SortFunc(records, func(a, b *R) int { return keyOf(a).Compare(keyOf(b)) })
}
