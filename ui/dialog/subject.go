package dialog

// Subject is the record that a question is about. The results of its methods may change while the
// question is open.
type Subject interface {
	// MissingReason returns the reason why actions on the record are no longer possible. It returns
	// "" if they are possible.
	MissingReason() string
	// State describes the current state of the record. It returns "" if the state is unknown.
	State() string
	// PendingText describes an earlier action on the record that is still pending. It returns "" if
	// there is none.
	PendingText() string
}

// noSubject is the subject of a question that is not about a record.
type noSubject struct{}

func (noSubject) MissingReason() string { return "" }
func (noSubject) State() string         { return "" }
func (noSubject) PendingText() string   { return "" }
