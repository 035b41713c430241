package dialog

// Subject is whom or what a question is about. What is said of it may change while
// the question is open.
type Subject interface {
	// Gone says that nothing can be done with it any more, "" when something can.
	Gone() string
	// Doing says what it does now, "" where nobody knows.
	Doing() string
	// Waiting says what was asked for before and is not done yet, "" is nothing.
	Waiting() string
}

// nothing is the subject of a question about none.
type nothing struct{}

func (nothing) Gone() string    { return "" }
func (nothing) Doing() string   { return "" }
func (nothing) Waiting() string { return "" }
