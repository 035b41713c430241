package dialog

// Subject is the record that a question is about. Its texts may change while the question is open.
type Subject interface {
	// MissingReason returns the reason why no action on the record is possible any more, or "".
	MissingReason() string
	// State returns a description of the record's current state, or "" if the state is unknown.
	State() string
	// PendingText returns a description of an earlier action on the record that is still pending,
	// or "".
	PendingText() string
}

// noSubject is the subject of a question that is about no record.
type noSubject struct{}

func (noSubject) MissingReason() string { return "" }
func (noSubject) State() string         { return "" }
func (noSubject) PendingText() string   { return "" }
