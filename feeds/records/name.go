package records

import (
	"strconv"

	"wallboard/model"
)

// FilterName returns the name by which filters select the record with the given key, or "" if
// filters cannot name the record.
func FilterName(key any) string {
	switch k := key.(type) {
	case model.ServiceKey:
		return k.Code
	case model.GroupKey:
		return k.Code
	case model.AttendantKey:
		return k.Code
	case model.UserStatKey:
		return k.Username
	case model.ProfileKey:
		return strconv.FormatInt(k.ID, 10)
	case int64:
		return strconv.FormatInt(k, 10)
	}
	return ""
}

// KeyChannel returns the channel in the key of a record, or "" if the key has no channel.
func KeyChannel(key any) string {
	switch k := key.(type) {
	case model.ServiceKey:
		return string(k.Channel)
	case model.GroupKey:
		return string(k.Channel)
	case model.AttendantKey:
		return string(k.Channel)
	case model.UserStatKey:
		return string(k.Channel)
	case model.ProfileKey:
		return string(k.Channel)
	}
	return ""
}
