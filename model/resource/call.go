package resource

import "slices"

// Dial is a request to call a number: the query parameters of
// POST /rest/phone/call/dial in document 1. Only Number is required.
type Dial struct {
	Number          string // the number to call
	Username        string // the user who makes the call; "" is the logged-in user
	DialerNumber    string // number of the user who makes the call
	AccessCode      string
	CallData        string // extra data for the call; agents may see it
	RecordCall      *bool
	RecordOnConnect *bool
	RecordAuto      *bool
	RecFileName     string
	RecData         string
	ReturnCallID    *bool // whether to return the ID of the call; nil means true, because a call is hard to find without its ID
	ServiceCode     string
	ExtenType       string // see ExtenTypes; other values are passed on unchanged
	Exten           string
}

// ExtenTypes returns the documented types of an extension.
func ExtenTypes() []string {
	return []string{"MCS_SIP", "MCS_APP", "MCS_APP_WEBRTC", "SIP", "EXTERNAL", "WEBRTC"}
}

// HangUp is a request to end a call. The platform finds the call by CallID, Username or Exten. If
// all three are empty, it ends the call of the logged-in user.
type HangUp struct {
	CallID   string
	Username string
	Exten    string
}

// Recording is a request to start or stop the recording of a call. A request to stop ignores
// FileName and OnConnect.
type Recording struct {
	Username  string // {userId} in the path of document 1
	CallID    string
	FileName  string
	OnConnect *bool
}

// Call is a call in the platform's list for a user: ServiceCallDetailRecord of document 1.
type Call struct {
	document

	Answer      Time              `json:"answer"`
	Start       Time              `json:"start"`
	End         Time              `json:"end"`
	CallData    string            `json:"callData"`
	CLID        string            `json:"clid"` // the caller's number
	DNIS        string            `json:"dnis"` // the number called
	RecFileName string            `json:"recFileName"`
	Service     string            `json:"service"`
	SIPCallID   string            `json:"sipCallId"`
	Skillset    string            `json:"skillset"`
	UniqueID    string            `json:"uniqueId"` // the call ID that other operations use
	CallInfo    map[string]string `json:"callInfo"`
}

// CurrentCalls returns the calls that have not ended. The platform may also list ended calls, which
// cannot be hung up or recorded.
func CurrentCalls(calls []Call) []Call {
	return slices.DeleteFunc(slices.Clone(calls), func(c Call) bool { return !c.End.IsZero() })
}
