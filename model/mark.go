package model

import "time"

// Mark is an event on the floor or at a board, stored in a recording so that it can be
// found.
type Mark struct {
	At   time.Time `json:"at"` // on the server's clock
	Kind MarkKind  `json:"kind"`
	Text string    `json:"text"` // clean text
	// Taken is the alert that was taken over if the mark is a MarkNote about one, otherwise zero.
	Taken TakenAlert `json:"taken,omitzero"`
	// Incident is the situation that the mark is about, as it was judged then; nil if that is
	// unknown or names people.
	Incident *Incident `json:"incident,omitempty"`
}

// Incident is a situation as it was judged when it happened, so that a replay shows the same
// beginning, end and worst level as the live board.
type Incident struct {
	ID        string          `json:"id"` // constant for the life of the situation
	Scope     string          `json:"scope"`
	Code      string          `json:"code,omitempty"`
	Channel   Channel         `json:"channel,omitempty"`
	Title     string          `json:"title"`
	Daily     bool            `json:"daily,omitempty"` // it is about a figure of the day
	Level     int             `json:"level"`           // highest level so far
	Began     time.Time       `json:"began"`
	FromStart bool            `json:"fromStart,omitempty"` // it existed when the observation began
	Critical  time.Time       `json:"critical,omitzero"`   // since when it was critical; zero: it was not
	Ended     time.Time       `json:"ended,omitzero"`      // zero: it had not ended
	Headline  string          `json:"headline"`            // how bad an ended incident was
	Alerts    []IncidentAlert `json:"alerts,omitempty"`
}

// IncidentAlert is an alert of an [Incident].
type IncidentAlert struct {
	TakenAlert           // Level is the highest so far; By is empty if no viewer has taken it over
	Text       string    `json:"text"`
	Since      time.Time `json:"since"`
	Raised     time.Time `json:"raised"`
	Ended      time.Time `json:"ended,omitzero"`
	TakenAt    time.Time `json:"takenAt,omitzero"`
	FromStart  bool      `json:"fromStart,omitempty"`
	Vanished   bool      `json:"vanished,omitempty"`
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
	MarkIncident  MarkKind = "incident"  // the state of an incident, for replays only
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
	// Incident is the situation that the event is about, NamelessIncident the same without
	// personal names; nil if there is none.
	Incident, NamelessIncident *Incident
}
