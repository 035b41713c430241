package dialect

import (
	"maps"
	"slices"
	"time"

	"wallboard/feeds/times"
)

// Profile is what was learnt about a server.
type Profile struct {
	Server      string              `json:"server"` // its version when it was learnt; "" if it did not say
	LearntAt    time.Time           `json:"learntAt"`
	Subprotocol string              `json:"subprotocol,omitempty"` // the one that has to be offered alone
	Filters     Filters             `json:"filters,omitempty"`
	Roots       map[string]string   `json:"roots,omitempty"`     // names of subscriptions, by operation
	Lacks       map[string][]string `json:"lacks,omitempty"`     // fields that the server does not have, by operation
	Inside      map[string][]string `json:"inside,omitempty"`    // members of fields that are objects there, by operation
	Types       map[string][]string `json:"types,omitempty"`     // types that document 2 does not show, by operation
	Keyless     []string            `json:"keyless,omitempty"`   // operations whose updates do not say which record they are for
	MaxKeys     map[string]int      `json:"maxKeys,omitempty"`   // the most keys of a filter, by operation
	Arguments   map[string]string   `json:"arguments,omitempty"` // names of the argument that carries the filter, by operation
	NoAliases   bool                `json:"noAliases,omitempty"` // a field may not come under another name
	Units       map[string]string   `json:"units,omitempty"`     // units of times, by field
}

// Store keeps the profile of one server. Its methods are called one at a
// time.
type Store interface {
	// Load returns what was kept, false when there is nothing of use.
	Load() (Profile, bool)
	// Save keeps a profile.
	Save(p Profile) error
}

// whole returns a copy that can be written to.
func (p Profile) whole() Profile {
	p.Roots, p.MaxKeys, p.Keyless, p.Units = maps.Clone(p.Roots), maps.Clone(p.MaxKeys), slices.Clone(p.Keyless), maps.Clone(p.Units)
	p.Lacks, p.Inside, p.Types = cloneLists(p.Lacks), cloneLists(p.Inside), cloneLists(p.Types)
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

// Recall takes over what was learnt when the board ran last. What was only
// observed is not believed until it is observed again.
func (d *Dialect) Recall(p Profile) {
	p = p.whole()
	d.known, d.trials = p, recalled(&p)
	d.Times.Recall(p.Units)
	for _, op := range p.Keyless {
		d.evidence.recall(claim{kind: claimKeyless, op: op})
	}
	d.known.Keyless = nil
	if p.Subprotocol != "" {
		d.evidence.recall(claim{kind: claimAlone, what: p.Subprotocol})
	}
	if len(p.MaxKeys) > 0 {
		d.evidence.recall(claim{kind: claimTooLong})
	}
}

// Profile returns what was learnt so far.
func (d *Dialect) Profile() Profile { return d.known.whole() }

// SpeaksTo notes the server's version. What was learnt of another version is
// forgotten; then it returns that one.
func (d *Dialect) SpeaksTo(version string) (before string) {
	if version == "" || d.known.Server == version {
		return ""
	}
	if before = d.known.Server; before != "" {
		d.known, d.evidence = Profile{}.whole(), make(evidence)
		d.Times = times.New(d.pinned.Units, d.pinned.Zone)
	}
	d.known.Server, d.dirty = version, true
	return before
}

// Unsaved returns what was learnt, if some of it was since it was asked for last.
func (d *Dialect) Unsaved(now time.Time) (p Profile, some bool) {
	units := d.Times.Found()
	if d.known.Server == "" || !d.dirty && maps.Equal(units, d.known.Units) {
		return Profile{}, false
	}
	d.known.Units = units
	d.dirty, d.known.LearntAt = false, now
	return d.known.whole(), true
}
