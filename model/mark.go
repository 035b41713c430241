package model

import "time"

// Mark is an event on the floor or at a board, stored in a recording so that it can be
// found.
type Mark struct {
	At   time.Time `json:"at"` // on the server's clock
	Kind MarkKind  `json:"kind"`
	Text string    `json:"text"` // clean text
	// Taken is the acknowledged alert if the mark is a MarkNote about one; else zero.
	Taken TakenAlert `json:"taken,omitzero"`
}

// TakenAlert identifies an alert that a viewer has taken over, so that another engine can find
// it.
type TakenAlert struct {
	Rule    string  `json:"rule"`
	Scope   string  `json:"scope"` // scope, code and channel are the key of the alert
	Code    string  `json:"code,omitempty"`
	Channel Channel `json:"channel,omitempty"`
	Level   int     `json:"level"`
	By      string  `json:"by,omitempty"` // clean; "" if the recording holds no names
}

// MarkKind is the kind of a mark.
type MarkKind string

// The kinds of marks.
const (
	MarkCritical  MarkKind = "critical"  // a critical situation began
	MarkWarning   MarkKind = "warning"   // a warning began
	MarkRecovered MarkKind = "recovered" // a situation ended
	MarkCut       MarkKind = "cut"       // the connection was lost
	MarkAction    MarkKind = "action"    // an action and its outcome
	MarkClock     MarkKind = "clock"     // a clock was set: times before and after are not comparable
	MarkNote      MarkKind = "note"      // a viewer took a situation over or wrote a note
)

// Event is an event to mark in a recording.
type Event struct {
	At       time.Time // local time; zero means now
	Kind     MarkKind
	Text     string // what happened, in words
	Nameless string // Text without personal names
	// Taken is the alert that was taken over, NamelessTaken the same without personal
	// names; it is zero if the alert is about a person.
	Taken, NamelessTaken TakenAlert
}
