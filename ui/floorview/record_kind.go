package floorview

import (
	"wallboard/internal/alert"
	"wallboard/model"
)

// SubjectOf returns the kind and the key of the record that an alert is about. The bool result
// reports whether a record of this kind has a detail page.
func SubjectOf(k alert.Key) (RecordKind, string, bool) {
	switch k.Scope {
	case alert.Service:
		return Service, k.Code, true
	case alert.Group:
		return Group, k.Code, true
	case alert.User:
		return Agent, k.Code, true
	case alert.Campaign:
		return Campaign, k.Code, true
	case alert.Floor, alert.Feed:
	}
	return 0, "", false
}

// AlertKey returns the key under which alerts about a record are stored. For a campaign or a
// subscription, the key has no channel.
func (k RecordKind) AlertKey(code string, channel model.Channel) alert.Key {
	key := alert.Key{Code: code, Channel: channel}
	switch k {
	case Service:
		key.Scope = alert.Service
	case Group:
		key.Scope = alert.Group
	case Agent:
		key.Scope = alert.User
	case Campaign:
		key.Scope, key.Channel = alert.Campaign, ""
	case Subscription:
		key.Scope, key.Channel = alert.Feed, ""
	}
	return key
}
