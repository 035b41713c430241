package model

import (
	"encoding/json"
	"time"
)

// Message is the text in a neighboring field, with its parameters, in a form that can be translated (see package
// words). It is nil for a text that is the same in all languages, and in recordings of an earlier version.
type Message = json.RawMessage

// Mark is an event on the floor or at a board. A recording stores marks so that viewers can find
// the events.
type Mark struct {
	At   time.Time `json:"at"` // on the server's clock
	Kind MarkKind  `json:"kind"`
	Text string    `json:"text"` // clean text, in English
	// Message is Text for viewers in other languages.
	Message Message `json:"message,omitempty"`
	// Taken is the alert that a viewer has taken over, if the mark is a MarkNote about taking over
	// an alert. Otherwise it is zero.
	Taken TakenAlert `json:"taken,omitzero"`
	// Incident is the situation that the mark is about, as it was judged at the time of the
	// mark. It is nil if the situation is unknown or names people.
	Incident *Incident `json:"incident,omitempty"`
	// Note is the note that was written or has ended. It is nil if the mark is not about a note.
	Note *Note `json:"note,omitempty"`
}

// MaxNoteSpan is the longest time that a note may last.
const MaxNoteSpan = 7 * 24 * time.Hour

// Note is a message about the floor: "IVR down until 15:00" by a viewer, or "newsletter" by a
// program.
type Note struct {
	ID    string    `json:"id"`
	At    time.Time `json:"at"`
	Until time.Time `json:"until,omitzero"` // end of the note; zero: the note marks an instant and is never active
	Text  string    `json:"text"`           // clean
	By    string    `json:"by,omitempty"`   // clean
	Surge time.Time `json:"surge,omitzero"` // beginning of the first surge of contacts after the note; zero: none

	Tolerance AgreedTolerance `json:"tolerance,omitzero"` // set if the note agrees a tolerance for a target
	Tick      PlaybookTick    `json:"tick,omitzero"`      // set if the note ticks an item of a playbook off
}

// PlaybookTick identifies a ticked-off playbook item: the place with the situation, and the item's
// text. The zero value means no tick.
type PlaybookTick struct {
	Scope   string  `json:"scope"` // scope, code and channel of the place
	Code    string  `json:"code,omitempty"`
	Channel Channel `json:"channel,omitempty"`
	Item    string  `json:"item"` // text of the item
}

// IsMessage reports whether the note is a message or a mark, that is, neither a tolerance nor a
// tick.
func (n *Note) IsMessage() bool { return n.Tolerance == AgreedTolerance{} && n.Tick == PlaybookTick{} }

// AgreedTolerance is the number of percentage points by which a figure may be worse than its target
// without being reported as missed. The zero value means no agreed tolerance.
type AgreedTolerance struct {
	Figure string  `json:"figure"` // name of the figure, such as "serviceLevel"
	Points float64 `json:"points"` // 0 cancels a tolerance of the configuration
}

// IsActive reports whether boards show the note at the given time.
func (n *Note) IsActive(at time.Time) bool { return !at.Before(n.At) && at.Before(n.Until) }

// Shift returns the note with all its times moved by d, for example from the server's clock to
// the local one.
func (n *Note) Shift(d time.Duration) Note {
	moved := *n
	moved.At = n.At.Add(d)
	if !n.Until.IsZero() {
		moved.Until = n.Until.Add(d)
	}
	if !n.Surge.IsZero() {
		moved.Surge = n.Surge.Add(d)
	}
	return moved
}

// Incident is a situation as the live board judged it. A replay uses it to show the same
// beginning, end and worst level as the live board.
type Incident struct {
	ID        string          `json:"id"` // constant as long as the situation lasts
	Scope     string          `json:"scope"`
	Code      string          `json:"code,omitempty"`
	Channel   Channel         `json:"channel,omitempty"`
	Title     string          `json:"title"`
	Daily     bool            `json:"daily,omitempty"` // the situation is about a daily total
	Level     int             `json:"level"`           // highest level so far
	Began     time.Time       `json:"began"`
	FromStart bool            `json:"fromStart,omitempty"` // the situation existed when the observation began
	Critical  time.Time       `json:"critical,omitzero"`   // when the situation became critical; zero: it never was
	Ended     time.Time       `json:"ended,omitzero"`      // when the situation ended; zero: it has not
	Headline  string          `json:"headline"`            // how bad an ended incident was
	Message   Message         `json:"message,omitempty"`   // of Headline
	Waiting   int             `json:"waiting,omitempty"`   // most contacts that waited at once
	Longest   int64           `json:"longest,omitempty"`   // longest wait in seconds
	Alerts    []IncidentAlert `json:"alerts,omitempty"`
	// Causes holds the causes as shown at the time of the mark or, for an ended incident, when most
	// contacts waited. nil: not recorded.
	Causes []IncidentCause `json:"causes,omitempty"`
	Needed IncidentStaff   `json:"needed,omitzero"` // agents needed, as shown at the time of the mark
}

// IncidentCause is a cause of an [Incident].
type IncidentCause struct {
	Kind         string   `json:"kind"`
	Text         string   `json:"text"`
	Brief        string   `json:"brief,omitempty"`        // shorter text
	Message      Message  `json:"message,omitempty"`      // of Text
	BriefMessage Message  `json:"briefMessage,omitempty"` // of Brief
	Share        float64  `json:"share,omitempty"`        // part of the missing work that the cause accounts for, 0 to 1; 0: unknown
	Agents       float64  `json:"agents,omitempty"`       // the missing work in agents; 0: unknown
	Users        []string `json:"users,omitempty"`        // usernames of the agents that the cause names
}

// IncidentStaff says how many more agents an [Incident] needed. The zero value is unknown.
type IncidentStaff struct {
	More          int   `json:"more,omitempty"`  // to clear the queue
	Least         int   `json:"least,omitempty"` // Least and Most bound More in four of five cases
	Most          int   `json:"most,omitempty"`
	ClearsIn      int64 `json:"clearsIn,omitempty"`      // seconds until the queue is empty with More agents
	OnePerContact bool  `json:"onePerContact,omitempty"` // as many agents were needed as contacts waited
	KeepUp        int   `json:"keepUp,omitempty"`        // to keep up with the arrivals
}

// IncidentAlert is an alert of an [Incident].
type IncidentAlert struct {
	TakenAlert        // Level is the highest so far; By is "" if no viewer has taken the alert over
	Text       string `json:"text"`
	// Title and What are the parts of Text.
	Title     Message   `json:"title,omitempty"`
	What      Message   `json:"what,omitempty"`
	Since     time.Time `json:"since"`
	Raised    time.Time `json:"raised"`
	Ended     time.Time `json:"ended,omitzero"`
	TakenAt   time.Time `json:"takenAt,omitzero"`
	FromStart bool      `json:"fromStart,omitempty"`
	Vanished  bool      `json:"vanished,omitempty"`
}

// TakenAlert identifies an alert that a viewer has taken over. Another alert engine uses these
// fields to find the same alert among its own.
type TakenAlert struct {
	Rule    string  `json:"rule"`
	Scope   string  `json:"scope"` // scope, code and channel are the key of the alert
	Code    string  `json:"code,omitempty"`
	Channel Channel `json:"channel,omitempty"`
	Level   int     `json:"level"`
	By      string  `json:"by,omitempty"` // name of the viewer, clean; "" if the recording contains no names
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
	MarkClock     MarkKind = "clock"     // a clock was set: earlier and later times cannot be compared
	MarkNote      MarkKind = "note"      // a viewer took a situation over, or a note was written or has ended
	MarkIncident  MarkKind = "incident"  // the state of an incident, for replays only
)

// Event is an event to store as a [Mark] in a recording.
type Event struct {
	At       time.Time // local time; zero means now
	Kind     MarkKind
	Text     string // what happened, in English
	Nameless string // Text without names of people
	// Message and NamelessMessage are Text and Nameless for viewers in other languages.
	Message, NamelessMessage Message
	// Taken is the alert that a viewer has taken over. NamelessTaken is the same alert without
	// names of people; it is zero if the alert is about a person.
	Taken, NamelessTaken TakenAlert
	// Incident is the situation that the event is about. NamelessIncident is the same situation
	// without names of people. Both are nil if the event is not about a situation. NamelessIncident
	// is also nil if the situation is about an agent.
	Incident, NamelessIncident *Incident
	// Note is the note that was written or has ended, with times on the local clock. It is nil if
	// the event is not about a note.
	Note *Note
}
