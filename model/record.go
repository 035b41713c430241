package model

// The records are the types of document 2, section "Resources and their
// fields". The json tags are the document's field names; the order of the
// fields is the order in which the documents under feeds/queries ask for them,
// but for the key fields, which the documents ask for first, so that finding
// the record costs next to nothing (a test holds the two together).
//
// Version is the store's: it grows with every change of the record, and a
// cached row is good for as long as it stays.

// ServiceKey names a service on one channel.
type ServiceKey struct {
	Code    string
	Channel Channel
}

// Service is ServiceStat: the figures of one service on one channel.
type Service struct {
	Code         Text         `json:"code"`
	Channel      Channel      `json:"channel"`
	ChannelStats ServiceCalls `json:"channelStats"`
	UserStats    ServiceUsers `json:"userStats"`
	CustomStats  []CustomStat `json:"customStats"`

	Version uint64 `json:"-"`
}

// Key returns the record's key.
func (r *Service) Key() ServiceKey { return ServiceKey{r.Code.s, r.Channel} }

// ServiceCalls is channelStats of a service: ServiceCcCallAtStat. Typename says
// which member of the union the server sent.
type ServiceCalls struct {
	Typename                             string `json:"__typename"`
	AnsweredCalls                        Int    `json:"answeredCalls"`
	AnsweredCallsUnderSpeedLimit         Int    `json:"answeredCallsUnderSpeedLimit"`
	ClosedCalls                          Int    `json:"closedCalls"`
	ClosedCallsCallBack                  Int    `json:"closedCallsCallBack"`
	ConnectedCall                        Int    `json:"connectedCall"`
	CurrentCalls                         Int    `json:"currentCalls"`
	HangupCalls                          Int    `json:"hangupCalls"`
	MaxTimeCallOnQueue                   Int    `json:"maxTimeCallOnQueue"` // seconds
	OutboundAnsweredCalls                Int    `json:"outboundAnsweredCalls"`
	OutboundClosedCallsGenericCause      Int    `json:"outboundClosedCallsGenericCause"`
	OutboundHangupCalls                  Int    `json:"outboundHangupCalls"`
	OutboundReceivedCalls                Int    `json:"outboundReceivedCalls"`
	QueuedCalls                          Int    `json:"queuedCalls"`
	ReceivedCalls                        Int    `json:"receivedCalls"`
	ReceivedCallsInAccessList            Int    `json:"receivedCallsInAccessList"`
	ReceivedCallsWithVendor4you          Int    `json:"receivedCallsWithVendor4you"`
	ReceivedCallsWithVendor4youAnonymous Int    `json:"receivedCallsWithVendor4youAnonymous"`
	ReceivedCallsWithVendor4youMultiple  Int    `json:"receivedCallsWithVendor4youMultiple"`
	ReceivedCallsWithVendor4youSingle    Int    `json:"receivedCallsWithVendor4youSingle"`
	ShortCalls                           Int    `json:"shortCalls"`
	AverageTimeOnQueue                   Float  `json:"averageTimeOnQueue"` // seconds
}

// ServiceUsers is userStats of a service: how many user profiles are in which
// state, and which.
type ServiceUsers struct {
	BusyOnDNCallInUsers         ProfilesInStatus     `json:"busyOnDNCallInUsers"`
	BusyOnDNCallOutUsers        ProfilesInStatus     `json:"busyOnDNCallOutUsers"`
	BusyOnDNCallOutUsersPrivate ProfilesInStatus     `json:"busyOnDNCallOutUsersPrivate"`
	BusyOnDNCallUsers           ProfilesInStatus     `json:"busyOnDNCallUsers"`
	BusyOnServUsers             ProfilesInStatus     `json:"busyOnServUsers"`
	BusyUsers                   ProfilesInStatus     `json:"busyUsers"`
	LoggedUsers                 ProfilesInStatus     `json:"loggedUsers"`
	NotReadyUsers               ProfilesInStatus     `json:"notReadyUsers"`
	NotReadyUsersOnActivityCode []ProfilesInActivity `json:"notReadyUsersOnActivityCode"`
	ActivityCodeIndicators      []ProfilesInActivity `json:"activityCodeIndicators"`
	PostCallUsers               ProfilesInStatus     `json:"postCallUsers"`
	ReadyUsers                  ProfilesInStatus     `json:"readyUsers"`
}

// ProfilesInStatus is UserProfileInStatus: the user profiles in one state. A
// nil ProfileIDs is unknown.
type ProfilesInStatus struct {
	Count      Int     `json:"count"`
	ProfileIDs []int64 `json:"profileIds"`
}

// ProfilesInActivity is UserProfileInActivityCode: the user profiles in a state
// with one activity code. Lists of it are keyed by the code.
type ProfilesInActivity struct {
	ActivityCode string  `json:"activityCode"`
	Count        Int     `json:"count"`
	ProfileIDs   []int64 `json:"profileIds"`
}

// CustomStat is one element of customStats: a figure that the platform's
// administrator defined. Lists of it are keyed by Key.
type CustomStat struct {
	Key   string      `json:"key"`
	Value CustomValue `json:"value"`
}

// CustomValue is the value of a [CustomStat]; document 2 does not show the
// types.
type CustomValue struct {
	AggregatedValue Scalar `json:"aggregatedValue"`
	Value           Scalar `json:"value"`
}

// GroupKey names a group (skillset) on one channel.
type GroupKey struct {
	Code    string
	Channel Channel
}

// Group is GroupStat: the figures of one group (skillset) on one channel.
type Group struct {
	Code         Text         `json:"code"`
	Channel      Channel      `json:"channel"`
	ChannelStats GroupCalls   `json:"channelStats"`
	UserStats    GroupUsers   `json:"userStats"`
	CustomStats  []CustomStat `json:"customStats"`

	Version uint64 `json:"-"`
}

// Key returns the record's key.
func (r *Group) Key() GroupKey { return GroupKey{r.Code.s, r.Channel} }

// GroupCalls is channelStats of a group: GroupCcCallStat.
type GroupCalls struct {
	Typename      string `json:"__typename"`
	AnsweredCalls Int    `json:"answeredCalls"`
	ClosedCalls   Int    `json:"closedCalls"`
	HangupCalls   Int    `json:"hangupCalls"`
	QueuedCalls   Int    `json:"queuedCalls"`
	ReceivedCalls Int    `json:"receivedCalls"`
	ShortCalls    Int    `json:"shortCalls"`
}

// GroupUsers is userStats of a group.
type GroupUsers struct {
	LoggedUsers                 ProfilesInStatus     `json:"loggedUsers"`
	NotReadyUsers               ProfilesInStatus     `json:"notReadyUsers"`
	NotReadyUsersOnActivityCode []ProfilesInActivity `json:"notReadyUsersOnActivityCode"`
	PostCallUsers               ProfilesInStatus     `json:"postCallUsers"`
	ReadyUsers                  ProfilesInStatus     `json:"readyUsers"`
}

// User is User: who exists, where he sits, what he can do, and his state on
// every channel.
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

	Version uint64 `json:"-"`
}

// Key returns the record's key, the username.
func (r *User) Key() string { return r.Username.s }

// ChannelTexts is a map with one text per channel, its keys the values of
// MultiChannel.
type ChannelTexts struct {
	Call     Text `json:"CALL"`
	Custom1  Text `json:"CUSTOM_1"`
	Custom2  Text `json:"CUSTOM_2"`
	Custom3  Text `json:"CUSTOM_3"`
	Video    Text `json:"VIDEO"`
	Chat     Text `json:"CHAT"`
	MailACD  Text `json:"MAIL_ACD"`
	LiveHelp Text `json:"LIVEHELP"`
	OmniDesk Text `json:"OMNIDESK"`
}

// On returns the text of one channel, unknown for a channel that document 2
// does not list.
func (m *ChannelTexts) On(c Channel) Text {
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
	return Text{}
}

// ChannelStatuses is UserStatusMultiChannelMap: one state per channel.
type ChannelStatuses struct {
	Call     UserStatus `json:"CALL"`
	Custom1  UserStatus `json:"CUSTOM_1"`
	Custom2  UserStatus `json:"CUSTOM_2"`
	Custom3  UserStatus `json:"CUSTOM_3"`
	Video    UserStatus `json:"VIDEO"`
	Chat     UserStatus `json:"CHAT"`
	MailACD  UserStatus `json:"MAIL_ACD"`
	LiveHelp UserStatus `json:"LIVEHELP"`
	OmniDesk UserStatus `json:"OMNIDESK"`
}

// On returns the state on one channel, "" when it is unknown.
func (m *ChannelStatuses) On(c Channel) UserStatus {
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
	return ""
}

// UserStatKey names a user on one channel.
type UserStatKey struct {
	Username string
	Channel  Channel
}

// UserStat is UserStat: the figures of one user on one channel.
type UserStat struct {
	Username Text `json:"username"`
	Name     Text `json:"name"`
	Surname  Text `json:"surname"`
	AgentFigures

	Version uint64 `json:"-"`
}

// Key returns the record's key.
func (r *UserStat) Key() UserStatKey { return UserStatKey{r.Username.s, r.Channel} }

// ProfileKey names a user profile on one channel.
type ProfileKey struct {
	ID      int64
	Channel Channel
}

// ProfileStat is UserProfileStat, and UserProfileCallStat where it comes from
// operatorProfileStats: the figures of one user profile on one channel.
type ProfileStat struct {
	ID Int `json:"id"`
	AgentFigures
	TimeInHold HoldTime `json:"timeInHold"`

	Version uint64 `json:"-"`
}

// Key returns the record's key.
func (r *ProfileStat) Key() ProfileKey { return ProfileKey{r.ID.n, r.Channel} }

// HoldTime is TimeInHold; document 2 does not show the types of its fields.
type HoldTime struct {
	Time        Int     `json:"time"` // seconds
	TimeInState Instant `json:"timeInState"`
}

// AgentFigures are the fields that UserStat, UserProfileStat and
// UserProfileCallStat share. Times named timeInState… are seconds, but for
// TimeInState itself: the instant since when the state lasts.
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
	TimeInState                      Instant        `json:"timeInState"`
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

// ActivityTime is TimeInActivityCode: the time spent with one activity code.
// Lists of it are keyed by the code.
type ActivityTime struct {
	ActivityCode string `json:"activityCode"`
	TotalTime    Int    `json:"totalTime"` // seconds
}

// Campaign is PdCampaignStat: the figures of one dialer campaign.
type Campaign struct {
	CampaignID         Int `json:"campaignId"`
	StartedCalls       Int `json:"startedCalls"`
	AvailableResources Int `json:"availableResources"`
	FreeResources      Int `json:"freeResources"`
	AllocatedChannels  Int `json:"allocatedChannels"`
	UsedChannels       Int `json:"usedChannels"`
	TotalContacts      Int `json:"totalContacts"`
	TriedContacts      Int `json:"triedContacts"`
	RingingContacts    Int `json:"ringingContacts"`
	OkContacts         Int `json:"okContacts"`
	TalkingContacts    Int `json:"talkingContacts"`
	ToDoContacts       Int `json:"toDoContacts"`

	Version uint64 `json:"-"`
}

// Key returns the record's key, the campaign id.
func (r *Campaign) Key() int64 { return r.CampaignID.n }

// AttendantKey names one component of a service's attendant on one channel.
type AttendantKey struct {
	Code      string
	Channel   Channel
	Component Component
}

// Attendant is ServiceAttendantStat: the figures of a service's attendant.
type Attendant struct {
	Code         Text           `json:"code"`
	Channel      Channel        `json:"channel"`
	Component    Component      `json:"component"`
	ChannelStats AttendantCalls `json:"channelStats"`
	UserStats    AttendantUsers `json:"userStats"`
	CustomStats  []CustomStat   `json:"customStats"`

	Version uint64 `json:"-"`
}

// Key returns the record's key.
func (r *Attendant) Key() AttendantKey { return AttendantKey{r.Code.s, r.Channel, r.Component} }

// AttendantCalls is channelStats of an attendant: ServiceAtStat.
type AttendantCalls struct {
	Typename      string `json:"__typename"`
	AnsweredCalls Int    `json:"answeredCalls"`
	ClosedCalls   Int    `json:"closedCalls"`
	CurrentCalls  Int    `json:"currentCalls"`
	HangupCalls   Int    `json:"hangupCalls"`
	ReceivedCalls Int    `json:"receivedCalls"`
}

// AttendantUsers is userStats of an attendant.
type AttendantUsers struct {
	BusyUsers   ProfilesInStatus `json:"busyUsers"`
	ReadyUsers  ProfilesInStatus `json:"readyUsers"`
	LoggedUsers ProfilesInStatus `json:"loggedUsers"`
}

// Operator is OperatorCallStat: an operator (attendant's user) on one channel.
type Operator struct {
	Username        Text    `json:"username"`
	Name            Text    `json:"name"`
	Surname         Text    `json:"surname"`
	UserSite        Int     `json:"userSite"`
	LoggedProfileID Int     `json:"loggedProfileId"`
	Channel         Channel `json:"channel"`
	ActivityCode    Text    `json:"activityCode"`
	ActivityCode2   Text    `json:"activityCode2"`

	Version uint64 `json:"-"`
}

// Key returns the record's key.
func (r *Operator) Key() UserStatKey { return UserStatKey{r.Username.s, r.Channel} }

// ServerVersion is the server's version (RtdVersion.server of document 2).
type ServerVersion struct {
	Major Int `json:"major"`
	Minor Int `json:"minor"`
	Patch Int `json:"patch"`
}

// ServerHealth is ServerHealth; document 2 does not show the type of status.
type ServerHealth struct {
	Status Scalar `json:"status"`
}
