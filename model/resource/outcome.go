package resource

import "fmt"

// Outcome is the outcome of an action. The zero value is [OutcomeUnknown].
type Outcome int8

// The outcomes. Unknown means that the platform may or may not have executed the request. Unknown
// is not shown as a failure.
const (
	OutcomeUnknown   Outcome = iota
	OutcomeConfirmed         // the platform executed it
	OutcomeRejected          // the platform refused it and did nothing
	OutcomeNotSent           // the request did not leave this machine, at least not completely
)

// String returns the outcome in words.
func (o Outcome) String() string {
	switch o {
	case OutcomeUnknown:
		return "unknown"
	case OutcomeConfirmed:
		return "confirmed"
	case OutcomeRejected:
		return "rejected"
	case OutcomeNotSent:
		return "not sent"
	}
	return fmt.Sprintf("Outcome(%d)", int8(o))
}

// CampaignSwitch is a request to start or to stop a campaign.
type CampaignSwitch struct {
	ID int
	// ResetStats also clears the campaign's statistics: before a start, after a stop. It is
	// never implied.
	ResetStats bool
}
