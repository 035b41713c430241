package model

import (
	"cmp"
)

// User holds a user's names, site, skills and state on every channel: User of document 2.
type User struct {
	Mutation      Mutation        `json:"mutation"`
	Username      Text            `json:"username"`
	Surname       Text            `json:"surname"`
	Name          Text            `json:"name"`
	ActiveProfile Scalar          `json:"activeProfile"`
	ActivityCodes ChannelTexts    `json:"activityCodes"`
	Services      []string        `json:"services"`
	Skillsets     []string        `json:"skillsets"`
	Site          Scalar          `json:"site"`
	Statuses      ChannelStatuses `json:"statuses"`

	Stamp
}

// Key returns the record's key, the username.
func (r *User) Key() string { return r.Username.text() }

// ByChannel holds one value for each channel of document 2. The zero value of T means unknown.
type ByChannel[T any] struct {
	Call     T `json:"CALL"`
	Custom1  T `json:"CUSTOM_1"`
	Custom2  T `json:"CUSTOM_2"`
	Custom3  T `json:"CUSTOM_3"`
	Video    T `json:"VIDEO"`
	Chat     T `json:"CHAT"`
	MailACD  T `json:"MAIL_ACD"`
	LiveHelp T `json:"LIVEHELP"`
	OmniDesk T `json:"OMNIDESK"`
}

// ChannelTexts holds one string per channel.
type ChannelTexts = ByChannel[Text]

// ChannelStatuses holds one state per channel: UserStatusMultiChannelMap.
type ChannelStatuses = ByChannel[UserStatus]

// ForChannel returns the value of one channel. It is unknown if document 2 does not list the channel.
func (m *ByChannel[T]) ForChannel(c Channel) T {
	switch c {
	case Call:
		return m.Call
	case Custom1:
		return m.Custom1
	case Custom2:
		return m.Custom2
	case Custom3:
		return m.Custom3
	case Video:
		return m.Video
	case Chat:
		return m.Chat
	case MailACD:
		return m.MailACD
	case LiveHelp:
		return m.LiveHelp
	case OmniDesk:
		return m.OmniDesk
	}
	var unknown T
	return unknown
}

// UserStatKey identifies a user on one channel.
type UserStatKey struct {
	Username string
	Channel  Channel
}

func (UserStatKey) order(a, b UserStatKey) int {
	return cmp.Or(cmp.Compare(a.Username, b.Username), channelOrder(a.Channel, b.Channel))
}

// UserStat holds the figures of one user on one channel: UserStat of document 2.
type UserStat struct {
	Username Text `json:"username"`
	Name     Text `json:"name"`
	Surname  Text `json:"surname"`
	AgentFigures

	Stamp
}

// Key returns the record's key.
func (r *UserStat) Key() UserStatKey { return UserStatKey{r.Username.text(), r.Channel} }

// ProfileKey identifies a user profile on one channel.
type ProfileKey struct {
	ID      int64
	Channel Channel
}

func (ProfileKey) order(a, b ProfileKey) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), channelOrder(a.Channel, b.Channel))
}

// ProfileStat holds the figures of one user profile on one channel: UserProfileStat, or
// UserProfileCallStat if it comes from operatorProfileStats.
type ProfileStat struct {
	ID Int `json:"id"`
	AgentFigures
	TimeInHold HoldTime `json:"timeInHold"`

	Stamp
}

// Key returns the record's key.
func (r *ProfileStat) Key() ProfileKey { return ProfileKey{r.ID.Or(0), r.Channel} }

// HoldTime is TimeInHold of document 2, which does not specify the types of its fields.
type HoldTime struct {
	Time        Int     `json:"time" time:"timeInHold.time"` // seconds
	TimeInState Instant `json:"timeInState" time:"timeInHold.timeInState"`
}

// AgentFigures holds the fields that UserStat, UserProfileStat and UserProfileCallStat have in
// common. The times in states (timeInState…) are in seconds. TimeInState itself is the instant
// at which the current state began.
type AgentFigures struct {
	UserSite                         Int            `json:"userSite"`
	LoggedProfileID                  Int            `json:"loggedProfileId"`
	Channel                          Channel        `json:"channel"`
	ActivityCode                     Text           `json:"activityCode"`
	ActivityCode2                    Text           `json:"activityCode2"`
	CurrentGroup                     Text           `json:"currentGroup"`
	CurrentService                   Text           `json:"currentService"`
	NumberCallFromService            Int            `json:"numberCallFromService"`
	NumberCallFromServiceAnswered    Int            `json:"numberCallFromServiceAnswered"`
	NumberCallFromServiceNotAnswered Int            `json:"numberCallFromServiceNotAnswered"`
	NumberCallIn                     Int            `json:"numberCallIn"`
	NumberCallServiceOverSpeedAnswer Int            `json:"numberCallServiceOverSpeedAnswer"`
	NumberCallOut                    Int            `json:"numberCallOut"`
	NumberCallOutPrivate             Int            `json:"numberCallOutPrivate"`
	Status                           UserStatus     `json:"status"`
	TimeInActivityCode               []ActivityTime `json:"timeInActivityCode"`
	TimeInActivityCodeStateBusy      []ActivityTime `json:"timeInActivityCodeStateBusy"`
	TimeInActivityCodeStateNotReady  []ActivityTime `json:"timeInActivityCodeStateNotReady"`
	TimeInState                      Instant        `json:"timeInState" time:"timeInState"`
	TimeInStateBooked                Int            `json:"timeInStateBooked"`
	TimeInStateBusy                  Int            `json:"timeInStateBusy"`
	TimeInStateBusyOnService         Int            `json:"timeInStateBusyOnService"`
	TimeInStateNotReady              Int            `json:"timeInStateNotReady"`
	TimeInStateReady                 Int            `json:"timeInStateReady"`
	TimeInStateWNR                   Int            `json:"timeInStateWNR"`
	TimeInStateBusyDNCallIn          Int            `json:"timeInStateBusyDnCallIn"`
	TimeInStateBusyDNCallOut         Int            `json:"timeInStateBusyDnCallOut"`
	TimeInStateBusyDNCallOutPrivate  Int            `json:"timeInStateBusyDnCallOutPrivate"`
}

// ActivityTime is the time spent with one activity code: TimeInActivityCode. ActivityCode is the
// key in lists.
type ActivityTime struct {
	ActivityCode string `json:"activityCode"`
	TotalTime    Int    `json:"totalTime" time:"totalTime"` // seconds
}
