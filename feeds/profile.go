package feeds

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"wallboard/model"
)

// Profile is what was learnt about a server.
type Profile struct {
	Server      string              `json:"server"` // its version when it was learnt; "" if it did not say
	LearntAt    time.Time           `json:"learntAt"`
	Subprotocol string              `json:"subprotocol,omitempty"` // the one that has to be offered alone
	Filters     Filters             `json:"filters,omitempty"`
	Roots       map[string]string   `json:"roots,omitempty"`   // names of subscriptions, by operation
	Lacks       map[string][]string `json:"lacks,omitempty"`   // fields that the server does not have, by operation
	Inside      map[string][]string `json:"inside,omitempty"`  // members of fields that are objects there, by operation
	Types       map[string][]string `json:"types,omitempty"`   // types that document 2 does not show, by operation
	Keyless     []string            `json:"keyless,omitempty"` // operations whose updates do not say which record they are for
	MaxKeys     map[string]int      `json:"maxKeys,omitempty"` // the most keys of a filter, by operation
}

// ProfileStore keeps the profile of one server. Its methods are called one at a
// time.
type ProfileStore interface {
	// Load returns what was kept, false when there is nothing of use.
	Load() (Profile, bool)
	// Save keeps a profile.
	Save(p Profile) error
}

// whole returns a copy that can be written to.
func (p Profile) whole() Profile {
	p.Roots, p.MaxKeys, p.Keyless = maps.Clone(p.Roots), maps.Clone(p.MaxKeys), slices.Clone(p.Keyless)
	p.Lacks, p.Inside, p.Types = cloneLists(p.Lacks), cloneLists(p.Inside), cloneLists(p.Types)
	if p.Roots == nil {
		p.Roots = make(map[string]string)
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

// Profile returns what was learnt about the server so far. It may be called from
// any goroutine.
func (f *Feed) Profile() Profile {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.speech.known.whole()
	p.Server = serverText(f.version.Value.Server)
	return p
}

// newDialect starts from what the configuration says and what was learnt
// before.
func (f *Feed) newDialect() {
	pinned := f.opts.Dialect
	pinned.Roots = maps.Clone(pinned.Roots)
	if pinned.Roots == nil {
		pinned.Roots = make(map[string]string)
	}
	maps.Copy(pinned.Roots, f.opts.Roots)
	*f.speech = *newDialect(pinned)
	if f.opts.Profiles != nil {
		if p, ok := f.opts.Profiles.Load(); ok {
			f.speech.recall(p.whole())
		}
	}
	f.speakAnew()
}

// speakAnew lets the subscriptions follow the dialect.
func (f *Feed) speakAnew() {
	for _, s := range f.subs {
		s.subRoot = f.speech.root(s.doc.Root)
		s.status.Lacks = f.lackText(s.doc.Root)
	}
}

// saveProfile keeps what was learnt since it was kept last. What was learnt of
// another version of the server is forgotten, and found out again on a new
// connection.
func (f *Feed) saveProfile(now time.Time) {
	f.mu.Lock()
	d, version := f.speech, serverText(f.version.Value.Server)
	if version != "" && d.known.Server != version {
		if d.known.Server != "" {
			f.log.Info("the server has another version; what was learnt about it is forgotten", "before", d.known.Server, "now", version)
			d.known, d.evidence = Profile{}.whole(), make(evidence)
			f.speakAnew()
			if f.conn != nil {
				f.conn.Abort(errNewVersion)
			}
		}
		d.known.Server, d.dirty = version, true
	}
	if f.opts.Profiles == nil || !d.dirty || version == "" {
		f.mu.Unlock()
		return
	}
	d.dirty, d.known.LearntAt = false, now
	p := d.known.whole()
	f.mu.Unlock()
	if err := f.opts.Profiles.Save(p); err != nil {
		f.log.Warn("what was learnt about the server is not kept", "error", err)
	}
}

// serverText writes a version, "" while it is not known.
func serverText(v model.ServerVersion) string {
	if !v.Major.Known() {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d", v.Major.Or(0), v.Minor.Or(0), v.Patch.Or(0))
}

// recall takes over what was learnt when the board ran last. What was only
// observed is not believed until it is observed again.
func (d *dialect) recall(p Profile) {
	d.known, d.trials = p, recalled(&p)
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
