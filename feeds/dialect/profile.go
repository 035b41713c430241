package dialect

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/timeunit"
)

// Profile holds the facts learned about a server. It can be saved and loaded.
type Profile struct {
	Server        string              `json:"server"` // server version; "" if unknown
	LearntAt      time.Time           `json:"learntAt"`
	Subprotocol   string              `json:"subprotocol,omitempty"` // sub-protocol that must be offered alone
	Filters       FilterForm          `json:"filters,omitempty"`
	Roots         map[string]string   `json:"roots,omitempty"`     // root fields of subscriptions, by operation
	MissingFields map[string][]string `json:"lacks,omitempty"`     // fields that the server lacks, by operation
	ObjectMembers map[string][]string `json:"inside,omitempty"`    // members to request of fields that are objects, by operation
	Types         map[string][]string `json:"types,omitempty"`     // types that document 2 does not show, by operation
	Keyless       []string            `json:"keyless,omitempty"`   // operations whose updates do not say which record they concern
	MaxKeys       map[string]int      `json:"maxKeys,omitempty"`   // maximum number of keys in a filter, by operation
	Arguments     map[string]string   `json:"arguments,omitempty"` // name of the filter argument, by operation
	NoAliases     bool                `json:"noAliases,omitempty"` // the server allows no aliases
	Units         map[string]string   `json:"units,omitempty"`     // units of times, by field
}

// ProfileStore saves and loads the profile of one server. Its methods are not called concurrently.
type ProfileStore interface {
	// Load returns the saved profile. It returns false if there is none.
	Load() (Profile, bool)
	// Save saves a profile.
	Save(p Profile) error
}

func (p Profile) clone() Profile {
	p.Roots, p.MaxKeys, p.Keyless, p.Units = maps.Clone(p.Roots), maps.Clone(p.MaxKeys), slices.Clone(p.Keyless), maps.Clone(p.Units)
	p.MissingFields, p.ObjectMembers, p.Types = cloneLists(p.MissingFields), cloneLists(p.ObjectMembers), cloneLists(p.Types)
	p.Arguments = maps.Clone(p.Arguments)
	if p.Roots == nil {
		p.Roots = make(map[string]string)
	}
	if p.Arguments == nil {
		p.Arguments = make(map[string]string)
	}
	if p.MaxKeys == nil {
		p.MaxKeys = make(map[string]int)
	}
	return p
}

func cloneLists(lists map[string][]string) map[string][]string {
	out := make(map[string][]string, len(lists))
	for op, l := range lists {
		out[op] = slices.Clone(l)
	}
	return out
}

// LoadProfile loads the profile of an earlier run. An operation in p.Keyless counts as keyless only
// after another keyless update, because no server ever states that its updates lack keys.
func (d *Dialect) LoadProfile(p Profile) {
	p = p.clone()
	d.profile, d.trials = p, trialsFor(&p)
	d.Times.LoadUnits(p.Units)
	for _, op := range p.Keyless {
		d.evidence.restore(claim{kind: claimKeyless, op: op})
	}
	d.profile.Keyless = nil
	if p.Subprotocol != "" {
		d.evidence.restore(claim{kind: claimSingleSubprotocol, detail: p.Subprotocol})
	}
	if len(p.MaxKeys) > 0 {
		d.evidence.restore(claim{kind: claimTooLong})
	}
}

// Profile returns a copy of the profile learned so far.
func (d *Dialect) Profile() Profile { return d.profile.clone() }

// SetServerVersion sets the server's version. If this replaces another version, SetServerVersion
// discards the profile and returns the replaced version, otherwise "". An empty version changes
// nothing.
func (d *Dialect) SetServerVersion(version string) (previous string) {
	if version == "" || d.profile.Server == version {
		return ""
	}
	if previous = d.profile.Server; previous != "" {
		d.profile, d.evidence = Profile{}.clone(), make(evidence)
		d.Times = timeunit.New(d.pinned.Units, d.pinned.Zone)
	}
	d.profile.Server, d.hasUnsavedChanges = version, true
	return previous
}

// UnsavedProfile returns the profile and true if the profile has unsaved changes and the server's version
// is known. The changes then count as saved. Otherwise changed is false.
func (d *Dialect) UnsavedProfile(now time.Time) (p Profile, changed bool) {
	units := d.Times.KnownUnits()
	if d.profile.Server == "" || !d.hasUnsavedChanges && maps.Equal(units, d.profile.Units) {
		return Profile{}, false
	}
	d.profile.Units = units
	d.hasUnsavedChanges, d.profile.LearntAt = false, now
	return d.profile.clone(), true
}
