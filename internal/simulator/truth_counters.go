package simulator

// The types in this file are those parts of [Server.Truth] that contain no nested values. They have
// the field names of document 2 in JSON. Values of package world are converted to these types, so a
// missing field is a compile error.

type truthServiceCalls struct {
	Typename string `json:"__typename"`
	truthServiceCounters
}

type truthServiceCounters struct {
	AnsweredCalls                        int64   `json:"answeredCalls"`
	AnsweredCallsUnderSpeedLimit         int64   `json:"answeredCallsUnderSpeedLimit"`
	ClosedCalls                          int64   `json:"closedCalls"`
	ClosedCallsCallBack                  int64   `json:"closedCallsCallBack"`
	ConnectedCall                        int64   `json:"connectedCall"`
	CurrentCalls                         int64   `json:"currentCalls"`
	HangupCalls                          int64   `json:"hangupCalls"`
	MaxTimeCallOnQueue                   int64   `json:"maxTimeCallOnQueue"`
	OutboundAnsweredCalls                int64   `json:"outboundAnsweredCalls"`
	OutboundClosedCallsGenericCause      int64   `json:"outboundClosedCallsGenericCause"`
	OutboundHangupCalls                  int64   `json:"outboundHangupCalls"`
	OutboundReceivedCalls                int64   `json:"outboundReceivedCalls"`
	QueuedCalls                          int64   `json:"queuedCalls"`
	ReceivedCalls                        int64   `json:"receivedCalls"`
	ReceivedCallsInAccessList            int64   `json:"receivedCallsInAccessList"`
	ReceivedCallsWithVendor4you          int64   `json:"receivedCallsWithVendor4you"`
	ReceivedCallsWithVendor4youAnonymous int64   `json:"receivedCallsWithVendor4youAnonymous"`
	ReceivedCallsWithVendor4youMultiple  int64   `json:"receivedCallsWithVendor4youMultiple"`
	ReceivedCallsWithVendor4youSingle    int64   `json:"receivedCallsWithVendor4youSingle"`
	ShortCalls                           int64   `json:"shortCalls"`
	AverageTimeOnQueue                   float64 `json:"averageTimeOnQueue"`
}

type truthGroupCalls struct {
	Typename string `json:"__typename"`
	truthGroupCounters
}

type truthGroupCounters struct {
	AnsweredCalls int64 `json:"answeredCalls"`
	ClosedCalls   int64 `json:"closedCalls"`
	HangupCalls   int64 `json:"hangupCalls"`
	QueuedCalls   int64 `json:"queuedCalls"`
	ReceivedCalls int64 `json:"receivedCalls"`
	ShortCalls    int64 `json:"shortCalls"`
}

type truthAttendantCalls struct {
	Typename string `json:"__typename"`
	truthAttendantCounters
}

type truthAttendantCounters struct {
	AnsweredCalls int64 `json:"answeredCalls"`
	ClosedCalls   int64 `json:"closedCalls"`
	CurrentCalls  int64 `json:"currentCalls"`
	HangupCalls   int64 `json:"hangupCalls"`
	ReceivedCalls int64 `json:"receivedCalls"`
}

type truthCampaign struct {
	CampaignID         int64 `json:"campaignId"`
	StartedCalls       int64 `json:"startedCalls"`
	AvailableResources int64 `json:"availableResources"`
	FreeResources      int64 `json:"freeResources"`
	AllocatedChannels  int64 `json:"allocatedChannels"`
	UsedChannels       int64 `json:"usedChannels"`
	TotalContacts      int64 `json:"totalContacts"`
	TriedContacts      int64 `json:"triedContacts"`
	RingingContacts    int64 `json:"ringingContacts"`
	OkContacts         int64 `json:"okContacts"`
	TalkingContacts    int64 `json:"talkingContacts"`
	ToDoContacts       int64 `json:"toDoContacts"`
}

type truthOperator struct {
	Username        string `json:"username"`
	Name            string `json:"name"`
	Surname         string `json:"surname"`
	UserSite        int64  `json:"userSite"`
	LoggedProfileID int64  `json:"loggedProfileId"`
	Channel         string `json:"channel"`
	ActivityCode    string `json:"activityCode"`
	ActivityCode2   string `json:"activityCode2"`
}
