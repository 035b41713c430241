package model

// Channel is a media channel: MultiChannel of document 2. A channel that document 2 does not list
// is stored and shown as received.
type Channel string

// The channels of document 2 (section Enums, MultiChannel).
const (
	Call     Channel = "CALL"
	Custom1  Channel = "CUSTOM_1"
	Custom2  Channel = "CUSTOM_2"
	Custom3  Channel = "CUSTOM_3"
	Video    Channel = "VIDEO"
	Chat     Channel = "CHAT"
	MailACD  Channel = "MAIL_ACD"
	LiveHelp Channel = "LIVEHELP"
	OmniDesk Channel = "OMNIDESK"
)

// NumChannels is the number of channels in document 2.
const NumChannels = 9

// Channels returns the channels in the order of document 2.
func Channels() [NumChannels]Channel {
	return [...]Channel{Call, Custom1, Custom2, Custom3, Video, Chat, MailACD, LiveHelp, OmniDesk}
}

// Known reports whether document 2 lists the channel.
func (c Channel) Known() bool {
	for _, k := range Channels() {
		if c == k {
			return true
		}
	}
	return false
}

// UserStatus is the state of an agent on one channel (document 2, section Enums). A state that
// document 2 does not list is stored and shown as received. "" means unknown.
type UserStatus string

// The user states of document 2.
const (
	Ready                UserStatus = "READY"
	NotReady             UserStatus = "NOT_READY"
	Booked               UserStatus = "BOOKED"
	Busy                 UserStatus = "BUSY"
	NotReadyBusy         UserStatus = "NOT_READY_BUSY"
	WNR                  UserStatus = "WNR" // after-call work
	BusyDNCallIn         UserStatus = "BUSY_dn_call_in"
	BusyDNCallOut        UserStatus = "BUSY_dn_call_out"
	BusyDNCallOutPrivate UserStatus = "BUSY_dn_call_out_private"
)

// UserStatuses returns the states in the order of document 2.
func UserStatuses() [9]UserStatus {
	return [...]UserStatus{
		Ready, NotReady, Booked, Busy, NotReadyBusy, WNR,
		BusyDNCallIn, BusyDNCallOut, BusyDNCallOutPrivate,
	}
}

// Known reports whether document 2 lists the state.
func (s UserStatus) Known() bool {
	for _, k := range UserStatuses() {
		if s == k {
			return true
		}
	}
	return false
}

// Mutation says whether a user in a result is new, changed or removed: MutationType of document 2.
type Mutation string

// The mutations of document 2.
const (
	Created Mutation = "CREATED"
	Updated Mutation = "UPDATED"
	Deleted Mutation = "DELETED"
)

// Component is the part of a service's attendant to which a figure belongs:
// ServiceAttendantComponent of document 2.
type Component string

// The attendant components of document 2.
const (
	ComponentAll      Component = "ALL"
	ComponentInternal Component = "INTERNAL"
	ComponentExternal Component = "EXTERNAL"
	ComponentReturns  Component = "RETURNS"
)

// Components returns the attendant components in the order of document 2.
func Components() [4]Component {
	return [...]Component{ComponentAll, ComponentInternal, ComponentExternal, ComponentReturns}
}

// MarshalJSON writes the state as received, or null if it is unknown.
func (s UserStatus) MarshalJSON() ([]byte, error) { return marshalOrNull(s) }

// MarshalJSON writes the channel as received, or null if it is unknown.
func (c Channel) MarshalJSON() ([]byte, error) { return marshalOrNull(c) }

// MarshalJSON writes the component as received, or null if it is unknown.
func (c Component) MarshalJSON() ([]byte, error) { return marshalOrNull(c) }

// MarshalJSON writes the mutation as received, or null if it is unknown.
func (m Mutation) MarshalJSON() ([]byte, error) { return marshalOrNull(m) }

// marshalOrNull encodes an enum value as JSON. It returns null if the value is "".
func marshalOrNull[E ~string](v E) ([]byte, error) { return Text{string(v)}.MarshalJSON() }
