package words

import "wallboard/model/resource"

// ActionReport describes the outcome of an action to supervisors.
type ActionReport struct {
	Outcome resource.Outcome
	// Text is a sentence or two: the outcome and the next step.
	Text Text
	// Warning is an important side effect, such as "The call is up, but it is NOT being recorded.", or
	// the zero Text if there is none.
	Warning Text
	// CallID is the ID of the call that a [resource.Dial] started. FileName is the file of a recording.
	// ID is the ID of a created resource. Each of them is "" if unknown.
	CallID   string
	FileName string
	ID       string
	// IDs lists the IDs of several added resources, separated by ", ", or "" if the platform did
	// not return them.
	IDs string
}
