// Package contact holds the data of the statistical data service (document 3) about finished
// contacts, and the figures derived from them.
//
// The package is pure: no goroutine, no clock, no I/O. Text from the platform is clean (see
// model.CleanText).
package contact

import (
	"time"

	"wallboard/model"
)

// Kind is a kind of contact (document 3, section "What the service does").
type Kind uint8

// The kinds of contact.
const (
	Inbound  Kind = iota // inbound service calls
	Outbound             // outbound service calls
	Video                // inbound service video calls
	Chat                 // inbound service chats
)

// Kinds returns every kind, in display order.
func Kinds() []Kind { return []Kind{Inbound, Outbound, Video, Chat} }

// KindOn returns the kind of contact that a channel receives; ok is false if the platform
// keeps no history for the channel.
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

// String returns the word for contacts of this kind.
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

// MarshalText writes the kind as String does.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Range is a span of time that includes From and excludes To.
type Range struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Step is one step of a contact, such as a wait, a conversation or a transfer. A missing time
// is zero.
type Step struct {
	ID     string    `json:"id"`
	Number int       `json:"step"`
	Start  time.Time `json:"startTime,omitzero"`
	End    time.Time `json:"endTime,omitzero"`
}

// Call is a contact of any kind with its steps in order. It has at least one step.
type Call struct {
	ID    string `json:"id"`
	Steps []Step `json:"steps"`
}

// Start returns when the first step began, zero if unknown.
func (c Call) Start() time.Time {
	var first time.Time
	for _, s := range c.Steps {
		if !s.Start.IsZero() && (first.IsZero() || s.Start.Before(first)) {
			first = s.Start
		}
	}
	return first
}

// End returns when the last step ended, zero if a step has not ended or the time is
// unknown.
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

// Duration returns the length of the contact; ok is false if it is unknown.
func (c Call) Duration() (d time.Duration, ok bool) {
	start, end := c.Start(), c.End()
	if start.IsZero() || end.Before(start) {
		return 0, false
	}
	return end.Sub(start), true
}

// Query requests the contacts of a kind that began in a range, in the order of their start.
type Query struct {
	Kind Kind
	Range
	Offset int  // number of contacts to skip
	Limit  int  // maximum number of contacts; 0: all
	Newest bool // return the last contacts of the range, newest first
}

// Progress is the progress of a query that takes several requests.
type Progress struct {
	Read  int           // contacts or figures read so far
	Total int           // total number; 0: unknown
	Wait  time.Duration // how long the next request waits for the platform's rate limit
}

// GroupQuery requests the number of contacts of a kind in a range for each entity.
type GroupQuery struct {
	Kind Kind
	By   string // the platform's name of the grouping; "" is ORGANIZATION
	Range
}

// Group is the number of contacts of one entity.
type Group struct {
	ID    string `json:"id,omitempty"`   // ID of the entity, "" if the platform gives none
	Name  string `json:"name,omitempty"` // "" for contacts without such an entity
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

// AddressQuery requests contacts of the address book in the order of their IDs. An empty
// filter does not restrict.
type AddressQuery struct {
	MailEnd      string // suffix of a mail address
	Organization string // part of the organization's name
	Offset       int    // number of contacts to skip
	Limit        int    // maximum number of contacts; 0: all
}

// Budget is the number of requests sent to the service from this machine in the last
// minute. The service allows 100 (document 3, section Limits).
type Budget struct {
	Used         int
	Limit        int       // lowered for two minutes after the platform refused a request because of the rate
	LoweredUntil time.Time // end of the lowered limit, zero if it is not lowered
}

// Record is a record whose fields document 3 does not show: those of the channel Support.
type Record []RecordField

// RecordField is a field of a [Record], with its value as text.
type RecordField struct{ Name, Value string }
