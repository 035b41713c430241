package dialog

// Subject is the record that a question is about. Its texts may change while the
// question is open.
type Subject interface {
	// Gone explains why nothing can be done with it any more, or returns "".
	Gone() string
	// Doing describes its current state, or returns "" if unknown.
	Doing() string
	// Waiting describes a pending earlier action, or returns "".
	Waiting() string
}

// nothing is the subject of a question without one.
type nothing struct{}

func (nothing) Gone() string    { return "" }
func (nothing) Doing() string   { return "" }
func (nothing) Waiting() string { return "" }
