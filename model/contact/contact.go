// Package contact holds the data of the statistical data service about finished contacts, and
// the figures derived from them. In comments, "document 3" is the description of this service.
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

// Kinds returns all kinds in the order in which they are displayed.
func Kinds() []Kind { return []Kind{Inbound, Outbound, Video, Chat} }

// KindForChannel returns the kind of the contacts on a channel. ok is false if document 3 has no history
// for the channel.
func KindForChannel(ch model.Channel) (k Kind, ok bool) {
	switch ch { //nolint:exhaustive // document 3 lists no other channels
	case model.Call:
		return Inbound, true
	case model.Video:
		return Video, true
	case model.Chat:
		return Chat, true
	}
	return 0, false
}

// String returns the English noun for contacts of the kind, for CSV files and file names.
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

// MarshalText encodes the kind as the result of String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Range is a span of time. It includes From and excludes To.
type Range struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Step is one step of a contact, for example a wait, a conversation or a transfer. A time that
// the platform did not send is zero.
type Step struct {
	ID     string    `json:"id"`
	Number int       `json:"step"`
	Start  time.Time `json:"startTime,omitzero"`
	End    time.Time `json:"endTime,omitzero"`
}

// Call is a contact of any kind, not only a phone call. It has at least one step. The steps are in
// the order in which the platform sent them.
type Call struct {
	ID    string `json:"id"`
	Steps []Step `json:"steps"`
}

// Start returns when the first step began. Steps with an unknown start are ignored. The result is
// zero if all starts are unknown.
func (c Call) Start() time.Time {
	var first time.Time
	for _, s := range c.Steps {
		if !s.Start.IsZero() && (first.IsZero() || s.Start.Before(first)) {
			first = s.Start
		}
	}
	return first
}

// End returns when the last step ended. It is zero if the end of any step is unknown.
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

// Duration returns the time from the start to the end of the contact. ok is false if one of them is
// unknown or the end is before the start.
func (c Call) Duration() (d time.Duration, ok bool) {
	start, end := c.Start(), c.End()
	if start.IsZero() || end.Before(start) {
		return 0, false
	}
	return end.Sub(start), true
}

// Query requests the contacts of a kind that began in a range, ordered by the time at which they
// began.
type Query struct {
	Kind Kind
	Range
	Offset int  // number of contacts to skip
	Limit  int  // maximum number of contacts; 0: no limit
	Newest bool // begin with the newest contacts of the range
}

// Progress is the progress of a query that takes several requests.
type Progress struct {
	Read  int           // number of contacts or figures read so far
	Total int           // number of all contacts or figures; 0: unknown
	Wait  time.Duration // time for which the next request waits because of the platform's rate limit
}

// GroupQuery requests the number of contacts of a kind that began in a range, for each entity
// of a type.
type GroupQuery struct {
	Kind Kind
	By   string // type of the entities, as the platform names it; "": ORGANIZATION
	Range
}

// Group holds the number of contacts of one entity, for example of one organization.
type Group struct {
	ID    string `json:"id,omitempty"`   // ID of the entity; "" if the platform sends none
	Name  string `json:"name,omitempty"` // "" for the contacts that belong to no entity
	Count int    `json:"count"`
}

// Contact is an entry of the address book.
type Contact struct {
	UUID         string   `json:"uuid"`
	Name         string   `json:"name,omitempty"`
	Surname      string   `json:"surname,omitempty"`
	FullName     string   `json:"fullName,omitempty"`
	Mail         []string `json:"mail,omitempty"`
	Organization string   `json:"organization,omitempty"`
}

// AddressQuery requests address book entries, ordered by ID. An empty MailEnd or Organization
// matches every entry.
type AddressQuery struct {
	MailEnd      string // suffix of a mail address
	Organization string // part of the organization's name
	Offset       int    // number of entries to skip
	Limit        int    // maximum number of entries; 0: no limit
}

// Budget holds the number of requests that this machine has sent to the service in the last minute,
// and the number of requests allowed. By default 100 are allowed (document 3, section Limits).
type Budget struct {
	Used         int
	Limit        int       // number of requests allowed; it is lowered for two minutes after the platform refused a request because of its rate limit
	LoweredUntil time.Time // when the limit rises again; zero if it is not lowered
}

// Record is a record of the channel Support. Document 3 does not show its fields.
type Record []RecordField

// RecordField is a field of a [Record], with its value as a string.
type RecordField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
