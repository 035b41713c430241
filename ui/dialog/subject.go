package dialog

// Subject is the record that a question concerns. Its texts may change while the question is open.
type Subject interface {
	// MissingReason returns the reason why no action on the record is possible any more. It returns
	// "" if an action is possible.
	MissingReason() string
	// State describes the current state of the record. It returns "" if the state is unknown.
	State() string
	// PendingText describes an earlier action on the record that is still pending. It returns "" if
	// there is none.
	PendingText() string
}

// noSubject is the subject of a question that does not concern a record.
type noSubject struct{}

func (noSubject) MissingReason() string { return "" }
func (noSubject) State() string         { return "" }
func (noSubject) PendingText() string   { return "" }
