package model

import "time"

// Mark is something that happened on the floor or at a board, to be found again in a
// recording.
type Mark struct {
	At   time.Time `json:"at"` // on the server's clock
	Kind MarkKind  `json:"kind"`
	Text string    `json:"text"` // clean text
	// Taken is the alert that was taken over, of a MarkNote of that; else zero.
	Taken Taken `json:"taken,omitzero"`
}

// Taken is an alert that somebody has taken over, as another engine finds it again.
type Taken struct {
	Rule    string  `json:"rule"`
	Scope   string  `json:"scope"` // scope, code and channel are the key of the alert
	Code    string  `json:"code,omitempty"`
	Channel Channel `json:"channel,omitempty"`
	Level   int     `json:"level"`
	By      string  `json:"by,omitempty"` // clean; "" where the recording names nobody
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
	MarkClock     MarkKind = "clock"     // a clock was set: times before and after are not those that went by
	MarkNote      MarkKind = "note"      // somebody took a situation over, or wrote a note
)

// Event is what a recording is to be marked with.
type Event struct {
	At       time.Time // on our clock; zero: now
	Kind     MarkKind
	Text     string // what happened, in words
	Nameless string // the same without the names of people
	// Taken is the alert that was taken over, NamelessTaken the same without the names of
	// people; zero of an alert about one.
	Taken, NamelessTaken Taken
}
