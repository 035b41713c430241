// Package past holds what the statistical data service (document 3) tells of
// the contacts that are over, and the figures that are made from it.
//
// It is pure: no goroutine, no clock, no I/O. Text that came from the platform
// is clean (see model.CleanText).
package past

import (
	"time"

	"wallboard/model"
)

// Kind is a kind of contact that the service tells apart (document 3, section
// "What the service does").
type Kind uint8

// The kinds of contact.
const (
	Inbound  Kind = iota // inbound service calls
	Outbound             // outbound service calls
	Video                // inbound service video calls
	Chat                 // inbound service chats
)

// Kinds returns every kind, in the order that they are shown in.
func Kinds() []Kind { return []Kind{Inbound, Outbound, Video, Chat} }

// KindOn returns the kind of contact that a channel receives; ok is false for
// channels of which the platform keeps no history.
func KindOn(ch model.Channel) (k Kind, ok bool) {
	switch ch { //nolint:exhaustive // document 3 has no others
	case model.Call:
		return Inbound, true
	case model.Video:
		return Video, true
	case model.Chat:
		return Chat, true
	}
	return 0, false
}

// String returns what people call the contacts of the kind.
func (k Kind) String() string {
	switch k {
	case Inbound:
		return "inbound calls"
	case Outbound:
		return "outbound calls"
	case Video:
		return "video calls"
	case Chat:
		return "chats"
	}
	return "contacts"
}

// MarshalText implements encoding.TextMarshaler: other programs read what people
// do.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Range is a span of time: From is in it, To is not.
type Range struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Step is one step of a contact: a wait, a conversation, a transfer. A time that
// the platform left out is zero.
type Step struct {
	ID     string    `json:"id"`
	Number int       `json:"step"`
	Start  time.Time `json:"startTime,omitzero"`
	End    time.Time `json:"endTime,omitzero"`
}

// Call is a contact of any kind with its steps, in their order. It has at least
// one.
type Call struct {
	ID    string `json:"id"`
	Steps []Step `json:"steps"`
}

// Start returns when the first step began, zero when that is not known.
func (c Call) Start() time.Time {
	var first time.Time
	for _, s := range c.Steps {
		if !s.Start.IsZero() && (first.IsZero() || s.Start.Before(first)) {
			first = s.Start
		}
	}
	return first
}

// End returns when the last step ended, zero when one has not ended or that is
// not known.
func (c Call) End() time.Time {
	var last time.Time
	for _, s := range c.Steps {
		if s.End.IsZero() {
			return time.Time{}
		}
		if s.End.After(last) {
			last = s.End
		}
	}
	return last
}

// Duration returns how long the contact took; ok is false when that is not
// known.
func (c Call) Duration() (d time.Duration, ok bool) {
	start, end := c.Start(), c.End()
	if start.IsZero() || end.Before(start) {
		return 0, false
	}
	return end.Sub(start), true
}

// Query asks for the contacts of a kind that began in a range, the first to
// begin first.
type Query struct {
	Kind Kind
	Range
	Offset int  // contacts to leave out at the beginning
	Limit  int  // contacts at most; 0 is all of them
	Newest bool // the last ones of the range instead of the first, the newest first
}

// Progress is how far a question that takes many requests has come.
type Progress struct {
	Read  int           // contacts or figures so far
	Total int           // of how many; 0 when that is not known
	Wait  time.Duration // how long the next request has to wait for the platform's limit of them; 0: not at all
}

// GroupQuery asks how many contacts of a kind each entity had in a range.
type GroupQuery struct {
	Kind Kind
	By   string // what to group by, as the platform calls it; "" is ORGANIZATION
	Range
}

// Group is how many contacts one entity had.
type Group struct {
	ID    string `json:"id,omitempty"`   // of the entity, "" when the platform gives none
	Name  string `json:"name,omitempty"` // "" is the contacts without such an entity
	Count int    `json:"count"`
}

// Contact is a contact of the address book.
type Contact struct {
	UUID         string   `json:"uuid"`
	Name         string   `json:"name,omitempty"`
	Surname      string   `json:"surname,omitempty"`
	FullName     string   `json:"fullName,omitempty"`
	Mail         []string `json:"mail,omitempty"`
	Organization string   `json:"organization,omitempty"`
}

// ContactQuery asks for contacts of the address book, in the order of their
// ids. Empty filters let everybody through.
type ContactQuery struct {
	MailEnd      string // what one of the mail addresses ends with
	Organization string // what the name of the organization contains
	Offset       int    // contacts to leave out at the beginning
	Limit        int    // contacts at most; 0 is all of them
}

// Budget is how many requests the service has had in the last minute from this
// machine. It takes 100 (document 3, section Limits).
type Budget struct {
	Used  int
	Limit int       // fewer for two minutes after the platform refused a request for its rate
	Slow  time.Time // until when Limit is lowered, zero when it is not
}

// Record is one record whose fields document 3 does not show: those of the
// channel Support.
type Record []RecordField

// RecordField is a field of a [Record], its value as text.
type RecordField struct{ Name, Value string }
