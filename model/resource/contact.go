package resource

import (
	"cmp"
	"strings"
)

// Contact is a contact of an external address book: AddressbookContactExternal of document 1.
type Contact struct {
	document

	ID                   string       `json:"id"`
	AddressbookBackendID string       `json:"addressbookBackendId"`
	Name                 string       `json:"name"`
	Surname              string       `json:"surname"`
	OtherName            string       `json:"otherName"`
	Company              string       `json:"company"`
	Department           string       `json:"department"`
	Role                 string       `json:"role"`
	Street               string       `json:"street"`
	City                 string       `json:"city"`
	District             string       `json:"district"`
	Cap                  string       `json:"cap"` // postal code
	Country              string       `json:"country"`
	Note                 string       `json:"note" clean:"body"`
	AgentNote            string       `json:"agentNote" clean:"body"`
	VIP                  *bool        `json:"vip"`
	Categories           []string     `json:"categories"`
	CustomFields         []KeyValue   `json:"customFields"` // sample key: CUSTOM_01
	Emails               []TypedValue `json:"emails"`       // sample type: INTERNET_WORK
	Numbers              []TypedValue `json:"numbers"`      // sample type: FAX
	WebSites             []TypedValue `json:"webSites"`     // sample type: WORK
}

// KeyValue is a custom field of a [Contact].
type KeyValue struct {
	document

	Key   string `json:"key"`
	Value string `json:"value"`
}

// TypedValue is an address of a [Contact].
type TypedValue struct {
	document

	Type  string `json:"type"`
	Value string `json:"value"`
}

// String returns the name of the contact. If the contact has no name, String returns the company,
// or else the ID.
func (c Contact) String() string {
	return cmp.Or(strings.TrimSpace(c.Name+" "+c.Surname), c.Company, c.ID)
}
