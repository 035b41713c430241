package model

import "strings"

// NameKind is the kind of a code that people have a name for.
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

// Names are what people call the platform's codes. The service has no
// operation that tells them, so they come from the configuration. The zero
// value knows none; a Names must not be changed once it is in use.
type Names map[NameKind]map[string]string

// Add sets the name of a code.
func (n Names) Add(kind NameKind, code, name string) {
	if n[kind] == nil {
		n[kind] = make(map[string]string)
	}
	n[kind][code] = name
}

// Of returns the name of a code, or the code itself when it has none. A name of
// blanks only is none: nobody could see it.
func (n Names) Of(kind NameKind, code string) string {
	if name := n[kind][code]; strings.TrimSpace(name) != "" {
		return name
	}
	return code
}
