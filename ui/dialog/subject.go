package dialog

// Subject is the record that a question is about. Its texts may change while the question is
// open.
type Subject interface {
	// MissingReason explains why the record cannot be acted on any more, or returns "".
	MissingReason() string
	// State describes the record's current state, or returns "" if that is unknown.
	State() string
	// PendingText describes a pending earlier action, or returns "".
	PendingText() string
}

// noSubject is the subject of a question without one.
type noSubject struct{}

func (noSubject) MissingReason() string { return "" }
func (noSubject) State() string         { return "" }
func (noSubject) PendingText() string   { return "" }
