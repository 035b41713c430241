package model

import "time"

// Mark is something that happened on the floor or at a board, to be found again in a
// recording.
type Mark struct {
	At   time.Time `json:"at"` // on the server's clock
	Kind MarkKind  `json:"kind"`
	Text string    `json:"text"` // clean text
}

// MarkKind is what a mark is about.
type MarkKind string

// The kinds of marks.
const (
	MarkCritical  MarkKind = "critical"  // a situation that is critical began
	MarkWarning   MarkKind = "warning"   // one that warns
	MarkRecovered MarkKind = "recovered" // one is over
	MarkCut       MarkKind = "cut"       // the connection ended
	MarkAction    MarkKind = "action"    // somebody acted, and what became of it
	MarkNote      MarkKind = "note"      // somebody took a situation over, or wrote a note
)

// Event is what a recording is to be marked with.
type Event struct {
	At       time.Time // on our clock; zero: now
	Kind     MarkKind
	Text     string // what happened, in words
	Nameless string // the same without the names of people
}
