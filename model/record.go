package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The records are the types of document 2, section "Resources and their fields". The json tags are
// the field names in document 2. The fields have the order of the requests under feeds/graphql,
// except that the requests begin with the key fields, so that a record can be found cheaply. A test
// compares the fields with the requests.
//
// A struct tag `time` marks a time for which document 2 does not specify the unit (package timeunit).
//
// The store sets Version and increases it with every change of the record. A row rendered from a
// record can be cached until Version changes.

// ServiceKey identifies a service on one channel.
type ServiceKey struct {
	Code    string
	Channel Channel
}

func (ServiceKey) order(a, b ServiceKey) int {
	return cmp.Or(cmp.Compare(a.Code, b.Code), channelOrder(a.Channel, b.Channel))
}

// Service holds the figures of one service on one channel: ServiceStat of document 2.
type Service struct {
	Code         Text         `json:"code"`
	Channel      Channel      `json:"channel"`
	ChannelStats ServiceCalls `json:"channelStats"`
	UserStats    ServiceUsers `json:"userStats"`
	CustomStats  []CustomStat `json:"customStats"`

	Stamp
}

// Key returns the record's key.
func (r *Service) Key() ServiceKey { return ServiceKey{r.Code.text(), r.Channel} }

// IsUnstaffed reports whether it is known that no agent of the service is logged in. A nil service
// is not unstaffed.
func (r *Service) IsUnstaffed() bool {
	if r == nil {
		return false
	}
	n, known := r.UserStats.LoggedUsers.Count.Get()
	return known && n == 0
}

// ServiceCalls is the channelStats of a service: ServiceCcCallAtStat. Typename is the type that the
// server sent, a member of a GraphQL union.
type ServiceCalls struct {
	Typename                             string `json:"__typename"`
	AnsweredCalls                        Int    `json:"answeredCalls"`
	AnsweredCallsUnderSpeedLimit         Int    `json:"answeredCallsUnderSpeedLimit"`
	ClosedCalls                          Int    `json:"closedCalls"`
	ClosedCallsCallBack                  Int    `json:"closedCallsCallBack"`
	ConnectedCall                        Int    `json:"connectedCall"`
	CurrentCalls                         Int    `json:"currentCalls"`
	HangupCalls                          Int    `json:"hangupCalls"`
	MaxTimeCallOnQueue                   Int    `json:"maxTimeCallOnQueue" time:"maxTimeCallOnQueue"` // seconds
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
	AverageTimeOnQueue                   Float  `json:"averageTimeOnQueue" time:"averageTimeOnQueue"` // seconds

	Wait Wait `json:"-"` // derived from observations, not sent
}

// ServiceUsers is the userStats of a service: for each state, the user profiles in that state and
// their number.
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

// ProfilesInStatus lists the user profiles in one state: UserProfileInStatus. A nil ProfileIDs
// means that the IDs are unknown.
type ProfilesInStatus struct {
	Count      Int     `json:"count"`
	ProfileIDs []int64 `json:"profileIds"`
}

// ProfilesInActivity lists the user profiles with one activity code: UserProfileInActivityCode.
// ActivityCode is the key in lists.
type ProfilesInActivity struct {
	ActivityCode string  `json:"activityCode"`
	Count        Int     `json:"count"`
	ProfileIDs   []int64 `json:"profileIds"`
}

// CustomStat is one element of customStats: a figure defined by the platform's administrator.
// Key identifies it in lists.
type CustomStat struct {
	Key   string      `json:"key"`
	Value CustomValue `json:"value"`
}

// CustomValue is the value of a [CustomStat]. Document 2 does not specify the types of the fields.
type CustomValue struct {
	AggregatedValue Scalar `json:"aggregatedValue"`
	Value           Scalar `json:"value"`
}

// GroupKey identifies a group (skillset) on one channel.
type GroupKey struct {
	Code    string
	Channel Channel
}

func (GroupKey) order(a, b GroupKey) int {
	return cmp.Or(cmp.Compare(a.Code, b.Code), channelOrder(a.Channel, b.Channel))
}

// Group holds the figures of one group (skillset) on one channel: GroupStat.
type Group struct {
	Code         Text         `json:"code"`
	Channel      Channel      `json:"channel"`
	ChannelStats GroupCalls   `json:"channelStats"`
	UserStats    GroupUsers   `json:"userStats"`
	CustomStats  []CustomStat `json:"customStats"`

	Stamp
}

// Key returns the record's key.
func (r *Group) Key() GroupKey { return GroupKey{r.Code.text(), r.Channel} }

// GroupCalls is the channelStats of a group: GroupCcCallStat.
type GroupCalls struct {
	Typename      string `json:"__typename"`
	AnsweredCalls Int    `json:"answeredCalls"`
	ClosedCalls   Int    `json:"closedCalls"`
	HangupCalls   Int    `json:"hangupCalls"`
	QueuedCalls   Int    `json:"queuedCalls"`
	ReceivedCalls Int    `json:"receivedCalls"`
	ShortCalls    Int    `json:"shortCalls"`
}

// GroupUsers is the userStats of a group.
type GroupUsers struct {
	LoggedUsers                 ProfilesInStatus     `json:"loggedUsers"`
	NotReadyUsers               ProfilesInStatus     `json:"notReadyUsers"`
	NotReadyUsersOnActivityCode []ProfilesInActivity `json:"notReadyUsersOnActivityCode"`
	PostCallUsers               ProfilesInStatus     `json:"postCallUsers"`
	ReadyUsers                  ProfilesInStatus     `json:"readyUsers"`
}

// Campaign holds the figures of one dialer campaign: PdCampaignStat.
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

	Name string `json:"-"` // name in the configuration service, clean text; "" if it is not known

	Stamp
}

// Key returns the record's key, the campaign ID. It is 0 if the ID is unknown.
func (r *Campaign) Key() int64 { return r.CampaignID.Or(0) }

// AttendantKey identifies one component of a service's attendant on one channel.
type AttendantKey struct {
	Code      string
	Channel   Channel
	Component Component
}

func (AttendantKey) order(a, b AttendantKey) int {
	components := Components()
	return cmp.Or(
		cmp.Compare(a.Code, b.Code), channelOrder(a.Channel, b.Channel),
		cmp.Compare(slices.Index(components[:], a.Component), slices.Index(components[:], b.Component)),
		cmp.Compare(a.Component, b.Component),
	)
}

// Attendant holds the figures of a service's attendant: ServiceAttendantStat.
type Attendant struct {
	Code         Text           `json:"code"`
	Channel      Channel        `json:"channel"`
	Component    Component      `json:"component"`
	ChannelStats AttendantCalls `json:"channelStats"`
	UserStats    AttendantUsers `json:"userStats"`
	CustomStats  []CustomStat   `json:"customStats"`

	Stamp
}

// Key returns the record's key.
func (r *Attendant) Key() AttendantKey { return AttendantKey{r.Code.text(), r.Channel, r.Component} }

// AttendantCalls is the channelStats of an attendant: ServiceAtStat.
type AttendantCalls struct {
	Typename      string `json:"__typename"`
	AnsweredCalls Int    `json:"answeredCalls"`
	ClosedCalls   Int    `json:"closedCalls"`
	CurrentCalls  Int    `json:"currentCalls"`
	HangupCalls   Int    `json:"hangupCalls"`
	ReceivedCalls Int    `json:"receivedCalls"`
}

// AttendantUsers is the userStats of an attendant.
type AttendantUsers struct {
	BusyUsers   ProfilesInStatus `json:"busyUsers"`
	ReadyUsers  ProfilesInStatus `json:"readyUsers"`
	LoggedUsers ProfilesInStatus `json:"loggedUsers"`
}

// Operator holds the figures of an operator (attendant's user) on one channel: OperatorCallStat.
type Operator struct {
	Username        Text    `json:"username"`
	Name            Text    `json:"name"`
	Surname         Text    `json:"surname"`
	UserSite        Int     `json:"userSite"`
	LoggedProfileID Int     `json:"loggedProfileId"`
	Channel         Channel `json:"channel"`
	ActivityCode    Text    `json:"activityCode"`
	ActivityCode2   Text    `json:"activityCode2"`

	Stamp
}

// Key returns the record's key.
func (r *Operator) Key() UserStatKey { return UserStatKey{r.Username.text(), r.Channel} }

// ServerVersion is the server's version (RtdVersion.server of document 2).
type ServerVersion struct {
	Major Int `json:"major"`
	Minor Int `json:"minor"`
	Patch Int `json:"patch"`
}

// String returns the version, such as "1.2.3", or "" if it is unknown.
func (s ServerVersion) String() string {
	out := ""
	for i, n := range []Int{s.Major, s.Minor, s.Patch} {
		x, ok := n.Get()
		if !ok {
			break
		}
		if i > 0 {
			out += "."
		}
		out += strconv.FormatInt(x, 10)
	}
	return out
}

// ServerHealth is the health of the server. Document 2 does not specify the type of status.
type ServerHealth struct {
	Status Scalar `json:"status"`
}

// IsUnhealthy reports whether the platform says that it is unhealthy. Document 2 does not list the
// possible values, so only unambiguous words count.
func (h ServerHealth) IsUnhealthy() bool {
	said := strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToUpper(h.Status.String()))
	first, _, _ := strings.Cut(said, " ")
	return said == "NOT OK" || strings.HasPrefix(said, "OUT OF") || strings.HasPrefix(said, "UN") && said != "UNKNOWN" ||
		slices.Contains([]string{"DOWN", "ERROR", "FAIL", "FAILED", "FAILING", "FAILURE", "CRITICAL", "DEGRADED", "FALSE", "KO", "RED"}, first)
}
