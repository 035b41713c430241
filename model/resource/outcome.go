package resource

import "fmt"

// Outcome is the outcome of an action. The zero value is [Unknown].
type Outcome int8

// The outcomes. Unknown means that the platform may or may not have executed the request. Unknown
// is not shown as a failure.
const (
	Unknown   Outcome = iota
	Confirmed         // the platform executed it
	Rejected          // the platform refused it and did nothing
	NotSent           // the request never left this machine
)

// String returns the outcome in words.
func (o Outcome) String() string {
	switch o {
	case Unknown:
		return "unknown"
	case Confirmed:
		return "confirmed"
	case Rejected:
		return "rejected"
	case NotSent:
		return "not sent"
	}
	return fmt.Sprintf("Outcome(%d)", int8(o))
}

// Report describes the outcome of an action to the user.
type Report struct {
	Outcome Outcome
	// Text is one sentence for a supervisor: the outcome and the next step.
	Text string
	// Warning is an important side effect, such as "the call is up, but it is NOT being recorded",
	// or "" if there is none.
	Warning string
	// CallID is the ID of the call that a [Dial] started. FileName is the file of a recording. ID
	// is the ID of a created resource. Each of them is "" if unknown.
	CallID   string
	FileName string
	ID       string
	// IDs lists the IDs of several added resources, separated by ", ", or "" if the platform did
	// not return them.
	IDs string
}

// CampaignSwitch is a request to start or to stop a campaign.
type CampaignSwitch struct {
	ID int
	// ResetStats also clears the campaign's statistics: before a start, after a stop. It is
	// never implied.
	ResetStats bool
}
