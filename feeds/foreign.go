package feeds

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/merge"
	"wallboard/model"
)

// typeName is a type that may be asked for: what a server calls its types goes
// into a request.
var typeName = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z_]{0,63}$`)

// meet takes note of the types of objects that said nothing else about
// themselves: nothing of them was asked for. They are asked for what document 2
// has in their place; until it comes the figures of their records are unknown.
func (f *Feed) meet(s *sub) {
	bare := f.env.Bare
	f.env.Bare = nil
	set := parseFields(f.speech.selection(&s.doc))
	asked := make(map[string]bool)
	var strangers, names []string
	walk(set, nil, func(n, _ *field) { asked[n.fragment()] = true })
	walk(set, nil, func(n, _ *field) {
		for typ, field := range bare {
			if n.fragment() == "" && n.head == field && !asked[typ] && typeName.MatchString(typ) {
				strangers = append(strangers, joinPath(n.path, typ))
				names = append(names, n.path+" of the type "+typ)
			}
		}
	})
	if len(strangers) == 0 {
		return
	}
	slices.Sort(names)
	s.status.Unknown = f.clean(strings.Join(slices.Compact(names), ", "))
	if f.speech.learn(f.speech.known.Types, f.speech.pinned.Types, s.doc.Root, strangers) {
		f.log.Info("the server has types that nobody asked for", "operation", s.doc.Root, "types", s.status.Unknown)
		f.askSchema()
		s.renew = true
	}
}

// misread notes why a payload was not understood. A field that is not understood
// again and again costs itself, and no more than that.
func (s *sub) misread(err error) {
	var shape *merge.ShapeError
	if !errors.As(err, &shape) {
		return
	}
	set := parseFields(s.speech.selection(&s.doc))
	for _, path := range fieldsOf(set, shape.Field, "", -1) {
		s.fails(path)
	}
}

// fails counts that a field could not be had.
func (s *sub) fails(path string) {
	d, op := s.speech, s.doc.Root
	if isKey(path) || !d.evidence.speaksFor(claim{claimFails, op, path}) ||
		prune(d.selection(&s.doc), []string{path}) == emptySelection || !d.learn(d.known.Lacks, d.pinned.Lacks, op, []string{path}) {
		return
	}
	s.status.Lacks = s.clean(strings.Join(d.lacks(op), ", "))
	s.renew, s.resync, s.resyncAt = true, true, time.Time{}
}

// failed counts the fields that a server could not execute.
func (s *sub) failed(raw []byte) {
	set := parseFields(s.speech.selection(&s.doc))
	var paths []string
	for _, e := range graphqlws.ParseErrors(raw) {
		paths = append(paths, executed(set, s.doc.Root, e.Path)...)
	}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		s.fails(path)
	}
}

// allRight takes back what was counted against the fields: here is a full state
// with all of them.
func (s *sub) allRight() {
	for c := range s.speech.evidence {
		if c.kind == claimFails && c.op == s.doc.Root {
			s.speech.evidence.speaksAgainst(c)
		}
	}
}

// keyed counts updates that said which records they are for, against the belief
// that they do not.
func (s *sub) keyed(is bool) {
	d, op := s.speech, s.doc.Root
	if !is || !d.evidence.speaksAgainst(claim{kind: claimKeyless, op: op}) || !slices.Contains(d.known.Keyless, op) {
		return
	}
	d.known.Keyless = slices.DeleteFunc(d.known.Keyless, func(o string) bool { return o == op })
	d.dirty, s.renew = true, true
	s.respread()
}

// muted is a subscription that the server does not have, or not under a name
// that can be found: its query is asked again and again in its place.
type muted struct{ reason string }

func (m muted) on() bool { return m.reason != "" }

// mute polls an operation for as long as the connection lasts; the next one
// tries the subscription again.
func (f *Feed) mute(s *sub, id, reason string) bool {
	if s.mute.on() || !s.isSubscription(id) {
		return false
	}
	s.mute = muted{reason}
	s.poll = f.opts.PollEvery
	return true
}

func (s *sub) isSubscription(id string) bool {
	id = s.whole(id)
	return id != "" && (id == s.active || id == s.pending)
}

// otherRoot finds another name for a subscription whose name is refused: the one
// that the server suggests, unless that is another operation's, or document 2's
// own again where a name that was learnt is refused.
func (f *Feed) otherRoot(s *sub, id string, meant []string) bool {
	d, op := f.speech, s.doc.Root
	if d.pinned.Roots[op] != "" || !s.isSubscription(id) {
		return false
	}
	name := suggested(op, meant)
	switch {
	case name != "" && name != s.subRoot:
		d.learnRoot(op, name)
	case d.known.Roots[op] != "" && s.subRoot == d.known.Roots[op]:
		delete(d.known.Roots, op)
		d.dirty = true
		name = op
	default:
		return false
	}
	f.log.Info("another name of the subscription is tried", "operation", op, "root", f.clean(name))
	s.subRoot = name
	return true
}

// suggested picks the name that is the operation's own with something around it,
// "" when none is. One that holds the name of another operation is that one's.
func suggested(op string, names []string) string {
	has := func(name, part string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(part)) }
	for _, name := range names {
		if !graphqlName.MatchString(name) || !has(name, op) {
			continue
		}
		if !slices.ContainsFunc(model.Operations(), func(o model.Operation) bool {
			other := string(o.Name)
			return other != op && len(other) > len(op) && has(name, other)
		}) {
			return name
		}
	}
	return ""
}

// block says of operations that depend on another one, or on a field of it, that
// this cannot be had: they wait for nothing.
func (f *Feed) block(now time.Time) {
	for _, s := range f.subs {
		switch s.doc.Root {
		case opVersion, opServerHealth, opUsers, opCampaigns: // which follow nobody
			continue
		}
		of := f.byName[followed(s.doc.Root)]
		if s.conn == nil || s.want.Ready || s.active != "" || s.pending != "" {
			continue
		}
		why := "the platform refuses " + of.doc.Root + ", which says what to ask for"
		switch {
		case of.status.State == model.SubRefused:
			s.setState(model.SubRefused, why+": "+of.status.Reason, now)
		case of.status.State == model.SubUnverified && of.data.Records() == 0:
			s.setState(model.SubBackoff, "what to ask for is not known: "+of.status.Reason, now)
		case slices.Contains(f.speech.lacks(of.doc.Root), namedBy(s.doc.Root)):
			s.setState(model.SubRefused, "the platform does not tell "+of.doc.Root+" "+namedBy(s.doc.Root)+", which says what to ask for"+pinnedBy(s.doc.Root), now)
		}
	}
}

// namedBy is the field of the followed operation that names what an operation is
// to ask for, "" where that is what the records are called.
func namedBy(op string) string {
	switch op {
	case opServices, opAttendants:
		return "services"
	case opGroups:
		return "skillsets"
	case opProfiles, opOperatorProfiles:
		return "loggedProfileId"
	}
	return ""
}

// pinnedBy says how the configuration names what an operation asks for.
func pinnedBy(op string) string {
	switch op {
	case opServices, opAttendants:
		return "; name them in [rtd] services"
	case opGroups:
		return "; name them in [rtd] groups"
	}
	return ""
}
