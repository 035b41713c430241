package model

import "strings"

// NameKind is a kind of code that can have a configured name.
type NameKind string

// The kinds of codes.
const (
	NameService  NameKind = "service"
	NameGroup    NameKind = "group"
	NameCampaign NameKind = "campaign"
	NameActivity NameKind = "activity"
	NameProfile  NameKind = "profile"
	NameSite     NameKind = "site"
	NameUser     NameKind = "user"
)

// Names maps the platform's codes to names for users. The service has no operation for
// them, so they come from the configuration. The zero value has no names; a Names must not
// change once it is in use.
type Names map[NameKind]map[string]string

// Add sets the name of a code.
func (n Names) Add(kind NameKind, code, name string) {
	if n[kind] == nil {
		n[kind] = make(map[string]string)
	}
	n[kind][code] = name
}

// Of returns the name of a code, or the code itself if it has none. A name of only blanks
// does not count.
func (n Names) Of(kind NameKind, code string) string {
	if name := n[kind][code]; strings.TrimSpace(name) != "" {
		return name
	}
	return code
}
