package resource

import "fmt"

// Outcome is what became of an action. The zero value is [Unknown]: what
// nobody vouches for is not known.
type Outcome int8

// The outcomes. Unknown means that the request may or may not have been
// carried out; it is never shown as a failure.
const (
	Unknown   Outcome = iota
	Confirmed         // the platform did it
	Rejected          // the platform refused it, and did nothing
	NotSent           // it never left this machine
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

// Report is what is to be said about an action.
type Report struct {
	Outcome Outcome
	// Text is one sentence for a supervisor: what became of it and what to do.
	Text string
	// Warning is what must not be overlooked besides, as "the call is up, but
	// it is NOT being recorded". "" when there is nothing.
	Warning string
	// CallID is the id of the call that a [Dial] began, FileName the file of a
	// recording, ID the id of what was created, each "" when it is not known.
	CallID   string
	FileName string
	ID       string
	// IDs are those of several that were added, with ", " between them; "" when
	// the platform did not tell them.
	IDs string
}

// CampaignSwitch is a request to start or to stop a campaign.
type CampaignSwitch struct {
	ID int
	// ResetStats clears the campaign's statistics besides: before the start,
	// after the stop. It is never implied.
	ResetStats bool
}
