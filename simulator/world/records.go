package world

import "time"

// Empty stands for an absent activityCode, activityCode2, currentGroup or
// currentService (document 2, section "UserStat, UserProfileStat, ...").
const Empty = "__EMPTY__"

// The channels (document 2, section Enums, MultiChannel).
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

// Channels returns the channels in document 2's order, which is also the order
// of every per-channel array in this package.
func Channels() [NumChannels]string {
	return [...]string{Call, Custom1, Custom2, Custom3, Video, Chat, MailACD, LiveHelp, OmniDesk}
}

// The states of a user on a channel (document 2, section Enums, UserStatus).
//
// The world gives them this meaning: a contact that rings is [Booked], a
// contact in conversation is [Busy], the work after it is [WNR]. [NotReadyBusy]
// is busy without being ready for the next contact: either a pause was asked
// for in the middle of a conversation, or the user is occupied on another of
// their channels.
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

// The parts of an attendant (document 2, section Enums,
// ServiceAttendantComponent).
const (
	ComponentAll      = "ALL"
	ComponentInternal = "INTERNAL"
	ComponentExternal = "EXTERNAL"
	ComponentReturns  = "RETURNS"
)

// The kinds of user profile (document 2, section Enums, UserProfileType).
const (
	ProfileAgent    = "AGENT"
	ProfileOperator = "OPERATOR"
)

// ServiceStat is document 2's ServiceStat: one service on one channel.
type ServiceStat struct {
	Code        string
	Channel     string
	Calls       ServiceCalls
	Users       ServiceUsers
	CustomStats []CustomStat
	// CurrentWait is how long the longest waiting caller has waited, in seconds.
	// The platform sends it only if that is what MaxTimeCallOnQueue means.
	CurrentWait int64
}

// ServiceCalls is document 2's ServiceCcCallAtStat. The counters run since
// midnight, but for ConnectedCall, CurrentCalls and QueuedCalls, which tell the
// present. MaxTimeCallOnQueue is what [Options.LongestWait] says. Times are seconds.
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

// ServiceUsers is the userStats object of a service: the profiles of the agents
// who serve it, by state.
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

// ProfilesInStatus is document 2's UserProfileInStatus. ProfileIDs is sorted
// and never nil; Count is its length.
type ProfilesInStatus struct {
	Count      int64
	ProfileIDs []int64
}

// ProfilesInActivity is document 2's UserProfileInActivityCode. A list of it
// holds every activity code of the platform, the unused ones with Count 0.
type ProfilesInActivity struct {
	ActivityCode string
	Count        int64
	ProfileIDs   []int64
}

// CustomStat is one element of customStats. AggregatedValue covers the day,
// Value is the last figure that came in.
type CustomStat struct {
	Key             string
	AggregatedValue float64
	Value           float64
}

// GroupStat is document 2's GroupStat: one group (skillset) on one channel.
type GroupStat struct {
	Code        string
	Channel     string
	Calls       GroupCalls
	Users       GroupUsers
	CustomStats []CustomStat
}

// GroupCalls is document 2's GroupCcCallStat. The counters run since midnight,
// but for QueuedCalls, which tells the present.
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

// User is document 2's User. Per-channel arrays follow [Channels]; "" marks a
// channel that the user does not work on.
type User struct {
	Username      string
	Name          string
	Surname       string
	ActiveProfile int64
	ProfileType   string // AGENT or OPERATOR: what UserFilter.profileTypes selects on
	ActivityCodes [NumChannels]string
	Services      []string
	Skillsets     []string
	Site          int64
	Statuses      [NumChannels]string
}

// Figures are the fields that UserStat, UserProfileStat and
// UserProfileCallStat of document 2 share. Counters and times run since
// midnight; times are seconds. TimeInState is the instant, to the millisecond,
// since when the present state lasts.
//
// The accumulated times move when a state ends, not every second: the seconds
// of the present state are in TimeInState only, until it is over.
type Figures struct {
	UserSite                         int64
	LoggedProfileID                  int64
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
	TimeInStateBusyDNCallIn          int64
	TimeInStateBusyDNCallOut         int64
	TimeInStateBusyDNCallOutPrivate  int64
}

// TimeInActivityCode is the time, in seconds, spent with one activity code.
// Lists of it are sorted by the code and never nil.
type TimeInActivityCode struct {
	ActivityCode string
	TotalTime    int64
}

// UserStat is document 2's UserStat: one agent on one channel.
type UserStat struct {
	Username string
	Name     string
	Surname  string
	Figures
}

// UserProfileStat is document 2's UserProfileStat, and UserProfileCallStat for
// operators: one user profile on one channel.
type UserProfileStat struct {
	ID int64
	Figures
	TimeInHold TimeInHold
}

// TimeInHold is document 2's TimeInHold: Time is the seconds of all finished
// holds, TimeInState the instant of the last change between holding and not.
type TimeInHold struct {
	Time        int64
	TimeInState time.Time
	Never       bool // there was no hold yet, and TimeInState is the login's
}

// OperatorStat is document 2's OperatorCallStat.
type OperatorStat struct {
	Username        string
	Name            string
	Surname         string
	UserSite        int64
	LoggedProfileID int64
	Channel         string
	ActivityCode    string
	ActivityCode2   string
}

// OperatorProfileStat is UserProfileStat of an operator's profile.
type OperatorProfileStat = UserProfileStat

// AttendantStat is document 2's ServiceAttendantStat: one component of the
// attendant of one service. ALL is the sum of the other components.
type AttendantStat struct {
	Code        string
	Channel     string
	Component   string
	Calls       AttendantCalls
	Users       AttendantUsers
	CustomStats []CustomStat
}

// AttendantCalls is document 2's ServiceAtStat. The counters run since
// midnight, but for CurrentCalls, which tells the present.
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
	CampaignID         int64
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
