package world

import (
	"cmp"
	"slices"
)

// Key identifies a record among the records of its kind. Keys are ordered by code, username or
// ID, then by channel and component, which are in the order of document 2.
type Key struct {
	name      string
	id        int64
	channel   int
	component int
}

// Compare returns -1 if k comes before o, 0 if they are equal, and +1 if k comes after o.
func (k Key) Compare(o Key) int {
	return cmp.Or(
		cmp.Compare(k.name, o.name),
		cmp.Compare(k.id, o.id),
		cmp.Compare(k.channel, o.channel),
		cmp.Compare(k.component, o.component),
	)
}

// ChannelIndex returns the index of a channel in the order of document 2, or -1 if it is unknown.
func ChannelIndex(channel string) int {
	channels := Channels()
	return slices.Index(channels[:], channel)
}

func componentIndex(component string) int {
	return slices.Index([]string{ComponentAll, ComponentInternal, ComponentExternal, ComponentReturns}, component)
}

// UserKey returns the key of a user.
func UserKey(username string) Key { return Key{name: username} }

// Key returns the record's key.
func (r *User) Key() Key { return UserKey(r.Username) }

// Key returns the record's key.
func (r *ServiceStat) Key() Key { return Key{name: r.Code, channel: ChannelIndex(r.Channel)} }

// Key returns the record's key.
func (r *GroupStat) Key() Key { return Key{name: r.Code, channel: ChannelIndex(r.Channel)} }

// Key returns the record's key.
func (r *UserStat) Key() Key { return Key{name: r.Username, channel: ChannelIndex(r.Channel)} }

// Key returns the record's key.
func (r *UserProfileStat) Key() Key { return Key{id: r.ID, channel: ChannelIndex(r.Channel)} }

// Key returns the record's key.
func (r *CampaignStat) Key() Key { return Key{id: r.CampaignID} }

// Key returns the record's key.
func (r *AttendantStat) Key() Key {
	return Key{name: r.Code, channel: ChannelIndex(r.Channel), component: componentIndex(r.Component)}
}

// Key returns the record's key.
func (r *OperatorStat) Key() Key { return Key{name: r.Username, channel: ChannelIndex(r.Channel)} }

// SortByKey sorts records by key. keyOf returns the key of a record.
func SortByKey[R any](records []*R, keyOf func(*R) Key) {
	slices.SortFunc(records, func(a, b *R) int { return keyOf(a).Compare(keyOf(b)) })
}
