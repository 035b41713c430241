package model

import (
	"strconv"
	"strings"
)

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

// Names maps codes of the platform to names for users. The names come from the configuration,
// because the real-time service has no operation for them. The zero value has no names. Names
// must not be changed once they are in use.
type Names map[NameKind]map[string]string

// Add sets the name of a code.
func (n Names) Add(kind NameKind, code, name string) {
	if n[kind] == nil {
		n[kind] = make(map[string]string)
	}
	n[kind][code] = name
}

// NameOf returns the name of a code, or the code itself if its name is missing or blank.
func (n Names) NameOf(kind NameKind, code string) string {
	if name := n[kind][code]; strings.TrimSpace(name) != "" {
		return name
	}
	return code
}

// CampaignName returns the name of a campaign: the configured name, otherwise the name in the
// configuration service, otherwise the ID.
func (n Names) CampaignName(r *Campaign) string {
	id := strconv.FormatInt(r.Key(), 10)
	if name := n.NameOf(NameCampaign, id); name != id || strings.TrimSpace(r.Name) == "" {
		return name
	}
	return r.Name
}

// NameInSnapshot is like [Names.NameOf], but a campaign without a configured name gets its name in the
// configuration service, as stored in s. s may be nil.
func (n Names) NameInSnapshot(s *Snapshot, kind NameKind, code string) string {
	if kind == NameCampaign && s != nil {
		id, err := strconv.ParseInt(code, 10, 64)
		if r := s.Campaigns.Get(id); err == nil && r != nil {
			return n.CampaignName(r)
		}
	}
	return n.NameOf(kind, code)
}
