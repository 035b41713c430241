package world

import "time"

// EmptyMark is the value of a missing activityCode, activityCode2, currentGroup or currentService
// (document 2, section "UserStat, UserProfileStat, ...").
const EmptyMark = "__EMPTY__"

// Channels (document 2, section Enums, MultiChannel).
const (
	Call     = "CALL"
	Custom1  = "CUSTOM_1"
	Custom2  = "CUSTOM_2"
	Custom3  = "CUSTOM_3"
	Video    = "VIDEO"
	Chat     = "CHAT"
	MailACD  = "MAIL_ACD"
	LiveHelp = "LIVEHELP"
	OmniDesk = "OMNIDESK"
)

// NumChannels is the number of channels.
const NumChannels = 9

// Channels returns the channels in the order of document 2. All arrays by channel in this package
// use this order.
func Channels() [NumChannels]string {
	return [...]string{Call, Custom1, Custom2, Custom3, Video, Chat, MailACD, LiveHelp, OmniDesk}
}

// States of a user on a channel (document 2, section Enums, UserStatus).
//
// In the simulation a ringing contact means [Booked], a conversation [Busy] and the after-contact
// work [WNR]. [NotReadyBusy] means busy and not available for the next contact: the user requested
// a pause during a conversation, or is occupied on another channel.
const (
	Ready                = "READY"
	NotReady             = "NOT_READY"
	Booked               = "BOOKED"
	Busy                 = "BUSY"
	NotReadyBusy         = "NOT_READY_BUSY"
	WNR                  = "WNR"
	BusyDNCallIn         = "BUSY_dn_call_in"
	BusyDNCallOut        = "BUSY_dn_call_out"
	BusyDNCallOutPrivate = "BUSY_dn_call_out_private"
)

// Components of an attendant (document 2, section Enums, ServiceAttendantComponent).
const (
	ComponentAll      = "ALL"
	ComponentInternal = "INTERNAL"
	ComponentExternal = "EXTERNAL"
	ComponentReturns  = "RETURNS"
)

// Kinds of user profile (document 2, section Enums, UserProfileType).
const (
	ProfileAgent    = "AGENT"
	ProfileOperator = "OPERATOR"
)

// The tag json of a field is its name in document 2, unless that is the Go name with a small
// first letter. "-" means that the field is not sent.

// ServiceStat is document 2's ServiceStat: a service on a channel.
type ServiceStat struct {
	Code        string
	Channel     string
	Calls       ServiceCalls `json:"channelStats"`
	Users       ServiceUsers `json:"userStats"`
	CustomStats []CustomStat
	// CurrentWait is the longest current wait in seconds. It is sent only as
	// MaxTimeCallOnQueue, if that has this meaning.
	CurrentWait int64 `json:"-"`
}

// ServiceCalls is document 2's ServiceCcCallAtStat. ConnectedCall, CurrentCalls and
// QueuedCalls are current values; the other counters start at midnight. [Options.LongestWait]
// selects the meaning of MaxTimeCallOnQueue. Times are in seconds.
type ServiceCalls struct {
	AnsweredCalls                        int64
	AnsweredCallsUnderSpeedLimit         int64
	ClosedCalls                          int64
	ClosedCallsCallBack                  int64
	ConnectedCall                        int64
	CurrentCalls                         int64
	HangupCalls                          int64
	MaxTimeCallOnQueue                   int64
	OutboundAnsweredCalls                int64
	OutboundClosedCallsGenericCause      int64
	OutboundHangupCalls                  int64
	OutboundReceivedCalls                int64
	QueuedCalls                          int64
	ReceivedCalls                        int64
	ReceivedCallsInAccessList            int64
	ReceivedCallsWithVendor4you          int64
	ReceivedCallsWithVendor4youAnonymous int64
	ReceivedCallsWithVendor4youMultiple  int64
	ReceivedCallsWithVendor4youSingle    int64
	ShortCalls                           int64
	AverageTimeOnQueue                   float64
}

// ServiceUsers is the userStats object of a service: its agents' profiles by state.
type ServiceUsers struct {
	BusyOnDNCallInUsers         ProfilesInStatus
	BusyOnDNCallOutUsers        ProfilesInStatus
	BusyOnDNCallOutUsersPrivate ProfilesInStatus
	BusyOnDNCallUsers           ProfilesInStatus
	BusyOnServUsers             ProfilesInStatus
	BusyUsers                   ProfilesInStatus
	LoggedUsers                 ProfilesInStatus
	NotReadyUsers               ProfilesInStatus
	NotReadyUsersOnActivityCode []ProfilesInActivity
	ActivityCodeIndicators      []ProfilesInActivity
	PostCallUsers               ProfilesInStatus
	ReadyUsers                  ProfilesInStatus
}

// ProfilesInStatus is document 2's UserProfileInStatus. ProfileIDs is sorted and not nil, and Count
// is its length.
type ProfilesInStatus struct {
	Count      int64
	ProfileIDs []int64 `json:"profileIds"`
}

// ProfilesInActivity is document 2's UserProfileInActivityCode. Lists contain all activity
// codes of the platform, including unused ones with Count 0.
type ProfilesInActivity struct {
	ActivityCode string
	Count        int64
	ProfileIDs   []int64 `json:"profileIds"`
}

// CustomStat is an element of customStats. AggregatedValue is the value of the whole day, and Value
// is the latest value.
type CustomStat struct {
	Key             string
	AggregatedValue float64
	Value           float64
}

// GroupStat is document 2's GroupStat: a group (skillset) on a channel.
type GroupStat struct {
	Code        string
	Channel     string
	Calls       GroupCalls `json:"channelStats" type:"GroupCcCallStat"`
	Users       GroupUsers `json:"userStats"`
	CustomStats []CustomStat
}

// GroupCalls is document 2's GroupCcCallStat. QueuedCalls is a current value; the other
// counters start at midnight.
type GroupCalls struct {
	AnsweredCalls int64
	ClosedCalls   int64
	HangupCalls   int64
	QueuedCalls   int64
	ReceivedCalls int64
	ShortCalls    int64
}

// GroupUsers is the userStats object of a group.
type GroupUsers struct {
	LoggedUsers                 ProfilesInStatus
	NotReadyUsers               ProfilesInStatus
	NotReadyUsersOnActivityCode []ProfilesInActivity
	PostCallUsers               ProfilesInStatus
	ReadyUsers                  ProfilesInStatus
}

// User is document 2's User. Arrays by channel have the order of [Channels]. Their elements
// are "" for channels on which the user does not work.
type User struct {
	Username      string
	Name          string
	Surname       string
	ActiveProfile int64
	ProfileType   string `json:"-"` // AGENT or OPERATOR, for UserFilter.profileTypes
	ActivityCodes [NumChannels]string
	Services      []string
	Skillsets     []string
	Site          int64
	Statuses      [NumChannels]string
}

// Figures holds the common fields of document 2's UserStat, UserProfileStat and
// UserProfileCallStat. Counters and times start at midnight; times are in seconds. TimeInState is
// the instant, with milliseconds, at which the current state began.
//
// The accumulated times change only when a state ends. Until then only TimeInState shows how long
// the current state has lasted.
type Figures struct {
	UserSite                         int64
	LoggedProfileID                  int64 `json:"loggedProfileId"`
	Channel                          string
	ActivityCode                     string
	ActivityCode2                    string
	CurrentGroup                     string
	CurrentService                   string
	NumberCallFromService            int64
	NumberCallFromServiceAnswered    int64
	NumberCallFromServiceNotAnswered int64
	NumberCallIn                     int64
	NumberCallServiceOverSpeedAnswer int64
	NumberCallOut                    int64
	NumberCallOutPrivate             int64
	Status                           string
	TimeInActivityCode               []TimeInActivityCode
	TimeInActivityCodeStateBusy      []TimeInActivityCode
	TimeInActivityCodeStateNotReady  []TimeInActivityCode
	TimeInState                      time.Time
	TimeInStateBooked                int64
	TimeInStateBusy                  int64
	TimeInStateBusyOnService         int64
	TimeInStateNotReady              int64
	TimeInStateReady                 int64
	TimeInStateWNR                   int64
	TimeInStateBusyDNCallIn          int64 `json:"timeInStateBusyDnCallIn"`
	TimeInStateBusyDNCallOut         int64 `json:"timeInStateBusyDnCallOut"`
	TimeInStateBusyDNCallOutPrivate  int64 `json:"timeInStateBusyDnCallOutPrivate"`
}

// TimeInActivityCode is the time, in seconds, spent with an activity code. Lists of it are
// sorted by code and not nil.
type TimeInActivityCode struct {
	ActivityCode string
	TotalTime    int64
}

// UserStat is document 2's UserStat: an agent on a channel.
type UserStat struct {
	Username string
	Name     string
	Surname  string
	Figures
}

// UserProfileStat is document 2's UserProfileStat, and UserProfileCallStat for operators: a user
// profile on a channel.
type UserProfileStat struct {
	ID int64 `json:"id"`
	Figures
	TimeInHold TimeInHold
}

// TimeInHold is document 2's TimeInHold. Time is the duration of all finished holds in seconds.
// TimeInState is the instant at which the latest hold started or ended.
type TimeInHold struct {
	Time        int64
	TimeInState time.Time
	Never       bool `json:"-"` // no hold since the login; TimeInState is then the time of the login
}

// OperatorStat is document 2's OperatorCallStat.
type OperatorStat struct {
	Username        string
	Name            string
	Surname         string
	UserSite        int64
	LoggedProfileID int64 `json:"loggedProfileId"`
	Channel         string
	ActivityCode    string
	ActivityCode2   string
}

// OperatorProfileStat is the UserProfileStat of an operator.
type OperatorProfileStat = UserProfileStat

// AttendantStat is document 2's ServiceAttendantStat: a component of a service's attendant. ALL is
// the sum of the other components.
type AttendantStat struct {
	Code        string
	Channel     string
	Component   string
	Calls       AttendantCalls `json:"channelStats" type:"ServiceAtStat"`
	Users       AttendantUsers `json:"userStats"`
	CustomStats []CustomStat
}

// AttendantCalls is document 2's ServiceAtStat. CurrentCalls is a current value; the other
// counters start at midnight.
type AttendantCalls struct {
	AnsweredCalls int64
	ClosedCalls   int64
	CurrentCalls  int64
	HangupCalls   int64
	ReceivedCalls int64
}

// AttendantUsers is the userStats object of an attendant.
type AttendantUsers struct {
	BusyUsers   ProfilesInStatus
	ReadyUsers  ProfilesInStatus
	LoggedUsers ProfilesInStatus
}

// CampaignStat is document 2's PdCampaignStat.
type CampaignStat struct {
	CampaignID         int64 `json:"campaignId"`
	StartedCalls       int64
	AvailableResources int64
	FreeResources      int64
	AllocatedChannels  int64
	UsedChannels       int64
	TotalContacts      int64
	TriedContacts      int64
	RingingContacts    int64
	OkContacts         int64
	TalkingContacts    int64
	ToDoContacts       int64
}

// Changes lists the changed records, in an order that depends only on the seed. Each record
// appears once, however often it has changed. A login adds the user's User, UserStat and
// UserProfileStat records, and a logout removes them. A new campaign adds a record. Records of
// other kinds exist from the beginning.
type Changes struct {
	Services             []Change[ServiceStat]
	Groups               []Change[GroupStat]
	Users                []Change[User]
	UserStats            []Change[UserStat]
	UserProfileStats     []Change[UserProfileStat]
	Campaigns            []Change[CampaignStat]
	Attendants           []Change[AttendantStat]
	Operators            []Change[OperatorStat]
	OperatorProfileStats []Change[OperatorProfileStat]
}

// State lists all current records. The tag op of a field is the name of the operation for its
// records. The records are immutable; the caller owns the slices.
type State struct {
	Users                []*User                `op:"users"`
	Services             []*ServiceStat         `op:"serviceStats"`
	Groups               []*GroupStat           `op:"groupStats"`
	UserStats            []*UserStat            `op:"userStats"`
	UserProfileStats     []*UserProfileStat     `op:"userProfileStats"`
	Campaigns            []*CampaignStat        `op:"pdCampaignStats"`
	Attendants           []*AttendantStat       `op:"serviceAttendantStats"`
	Operators            []*OperatorStat        `op:"operatorStats"`
	OperatorProfileStats []*OperatorProfileStat `op:"operatorProfileStats"`
}

// recordSets holds the records of all kinds.
type recordSets struct {
	services         recordSet[ServiceStat]
	groups           recordSet[GroupStat]
	users            recordSet[User]
	userStats        recordSet[UserStat]
	profiles         recordSet[UserProfileStat]
	campaigns        recordSet[CampaignStat]
	attendants       recordSet[AttendantStat]
	operators        recordSet[OperatorStat]
	operatorProfiles recordSet[OperatorProfileStat]
}

// TakeChanges returns the changes of records since the previous call. The first call after [New]
// returns all records as new.
func (w *World) TakeChanges() *Changes {
	return &Changes{
		Services:             w.recordSets.services.takeChanges(),
		Groups:               w.recordSets.groups.takeChanges(),
		Users:                w.recordSets.users.takeChanges(),
		UserStats:            w.recordSets.userStats.takeChanges(),
		UserProfileStats:     w.recordSets.profiles.takeChanges(),
		Campaigns:            w.recordSets.campaigns.takeChanges(),
		Attendants:           w.recordSets.attendants.takeChanges(),
		Operators:            w.recordSets.operators.takeChanges(),
		OperatorProfileStats: w.recordSets.operatorProfiles.takeChanges(),
	}
}

// State returns all current records. It does not affect [World.TakeChanges].
func (w *World) State() *State {
	return &State{
		Services:             w.recordSets.services.records(),
		Groups:               w.recordSets.groups.records(),
		Users:                w.recordSets.users.records(),
		UserStats:            w.recordSets.userStats.records(),
		UserProfileStats:     w.recordSets.profiles.records(),
		Campaigns:            w.recordSets.campaigns.records(),
		Attendants:           w.recordSets.attendants.records(),
		Operators:            w.recordSets.operators.records(),
		OperatorProfileStats: w.recordSets.operatorProfiles.records(),
	}
}
