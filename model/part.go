package model

import (
	"maps"
	"slices"
	"strconv"
)

// FloorPart is the part of a floor that a viewer may see. An empty list restricts nothing. A person is
// visible if they match each non-empty list.
type FloorPart struct {
	Services []string // codes of the visible services; only people who serve one of them are visible
	Groups   []string // codes of the visible groups; only their members are visible; see [FloorPart.DerivesGroups]
	Sites    []int64  // only people of these sites are visible
	MinGroup int      // groups with fewer members are not visible, but their people are; 0: all groups; see [PartFilter]
}

// IsWholeFloor reports whether the whole floor is visible, apart from small groups.
func (p *FloorPart) IsWholeFloor() bool {
	return len(p.Services) == 0 && len(p.Groups) == 0 && len(p.Sites) == 0
}

// DerivesGroups reports whether the visible groups are derived from the visible services, because
// the part lists services but no groups. A group is then visible if each of its members serves a
// visible service. Other groups cannot be shown safely, because the platform does not show from
// which services a group takes contacts.
func (p *FloorPart) DerivesGroups() bool { return len(p.Services) > 0 && len(p.Groups) == 0 }

// hiddenCodeText replaces the code of a service or group that is not visible.
const hiddenCodeText = "…"

// PartFilter removes everything outside a part from snapshots, so that a viewer of the result cannot see it.
// Unless the part is the whole floor, it removes all campaigns and profiles, because the platform does not show
// to which part they belong. If only one group is too small, it removes the next smallest group as well:
// otherwise the agents without a group would be the members of the removed one. A PartFilter is not
// safe for concurrent use. A nil PartFilter changes nothing.
type PartFilter struct {
	services, groups map[string]bool // nil: all
	sites            map[string]bool
	derivesGroups    bool            // groups is derived from services
	requiredGroups   map[string]bool // groups to which visible people must belong; nil: any

	visible     map[string]bool // visible people, by user name
	revision    uint64          // incremented when the set of visible people or groups changes
	hiddenWords hiddenWords     // words to hide in all strings

	minGroup        int
	smallGroupCount int             // number of groups of the part that are not visible
	partGroups      map[string]bool // groups of the part, of any size; nil: all
	hidesOthers     bool            // other records than those of small groups are hidden, too

	sourceUsers     *Table[string, User]
	sourceStats     *Table[UserStatKey, UserStat]
	codeGenerations [2]uint64 // generations of the tables of services and groups

	serviceTable narrowedTable[ServiceKey, Service, *Service]
	groupTable   narrowedTable[GroupKey, Group, *Group]
	users        narrowedTable[string, User, *User]
	stats        narrowedTable[UserStatKey, UserStat, *UserStat]
	attendants   narrowedTable[AttendantKey, Attendant, *Attendant]
	operators    narrowedTable[UserStatKey, Operator, *Operator]

	lastInput, lastResult *Snapshot
}

// NewPartFilter returns a filter for p. It returns nil, which removes nothing, if p is the whole
// floor with all groups.
func NewPartFilter(p FloorPart) *PartFilter {
	if p.IsWholeFloor() && p.MinGroup < 2 {
		return nil
	}
	set := func(list []string) map[string]bool {
		if len(list) == 0 {
			return nil
		}
		out := make(map[string]bool, len(list))
		for _, code := range list {
			out[code] = true
		}
		return out
	}
	sites := make([]string, 0, len(p.Sites))
	for _, n := range p.Sites {
		sites = append(sites, strconv.FormatInt(n, 10))
	}
	c := &PartFilter{services: set(p.Services), groups: set(p.Groups), requiredGroups: set(p.Groups), derivesGroups: p.DerivesGroups(), sites: set(sites), hiddenWords: newHiddenWords(), minGroup: p.MinGroup, hidesOthers: !p.IsWholeFloor()}
	c.partGroups = c.groups
	if c.derivesGroups || c.minGroup > 1 {
		c.groups = make(map[string]bool) // no group is visible until the members are known
	}
	return c
}

// Apply returns the visible part of a snapshot. It reuses the records of the last result where it
// can: a record that has neither changed nor moved keeps its pointer, unless the set of visible
// people or groups has changed.
func (f *PartFilter) Apply(s *Snapshot) *Snapshot {
	if f == nil || s == nil {
		return s
	}
	if s == f.lastInput {
		return f.lastResult
	}
	f.updateVisible(s)
	out := *s
	out.Services = f.serviceTable.apply(s.Services, 0, func(r *Service) bool { return isInSet(f.services, r.Code) }, nil)
	out.Attendants = f.attendants.apply(s.Attendants, 0, func(r *Attendant) bool { return isInSet(f.services, r.Code) }, nil)
	out.Groups = f.groupTable.apply(s.Groups, f.revision, func(r *Group) bool { return isInSet(f.groups, r.Code) }, nil)
	out.Users = f.users.apply(s.Users, f.revision, func(r *User) bool { return f.visible[r.Username.text()] }, f.narrowUser)
	out.UserStats = f.stats.apply(s.UserStats, f.revision, func(r *UserStat) bool { return f.visible[r.Username.text()] }, f.narrowUserStat)
	out.Operators = f.operators.apply(s.Operators, f.revision, func(r *Operator) bool { return f.visible[r.Username.text()] }, nil)
	if f.hidesOthers {
		out.hideTables(OpUsers, OpServices, OpGroups, OpUserStats, OpAttendants, OpOperators)
		hideMessages(&out.Health)
	}
	out.HiddenGroups = f.smallGroupCount
	f.lastInput, f.lastResult = s, &out
	return f.lastResult
}

// HiddenMessage replaces messages of the server and the feed, because any name may occur in them.
const HiddenMessage = "only viewers of the whole floor see the reason"

func hideMessages(h *Health) {
	hide := func(s *string) {
		if *s != "" {
			*s = HiddenMessage
		}
	}
	hide(&h.Link.Reason)
	hide(&h.Link.Trying)
	hide(&h.Notice)
	hide(&h.LastBadFrame)
	hide(&h.Search.Failed)
	h.Subscriptions = slices.Clone(h.Subscriptions)
	for i := range h.Subscriptions {
		hide(&h.Subscriptions[i].Reason)
	}
}

// Text returns s with an ellipsis instead of every name and code outside the part.
func (f *PartFilter) Text(s string) string {
	if f == nil {
		return s
	}
	return f.hiddenWords.maskText(s)
}

// HidesGroup reports whether a group was removed from the last snapshot, or would be.
func (f *PartFilter) HidesGroup(code string) bool {
	return f != nil && !isInSet(f.groups, TextOf(code))
}

func isInSet(set map[string]bool, code Text) bool { return set == nil || set[code.text()] }

// updateVisible updates the sets of visible people and groups and the hidden words.
func (f *PartFilter) updateVisible(s *Snapshot) {
	codes := [2]uint64{s.Services.Generation(), s.Groups.Generation()}
	if s.Users == f.sourceUsers && s.UserStats == f.sourceStats && f.codeGenerations == codes {
		return
	}
	f.sourceUsers, f.sourceStats = s.Users, s.UserStats
	onSite := make(map[string]bool)
	for r := range s.UserStats.All() {
		if site, known := r.UserSite.Get(); known && f.sites[strconv.FormatInt(site, 10)] {
			onSite[r.Username.text()] = true
		}
	}
	people := make(map[string]bool)
	for r := range s.Users.All() {
		if f.isVisible(r, onSite[r.Username.text()]) {
			people[r.Username.text()] = true
		}
	}
	groups := f.groups
	if f.derivesGroups {
		groups = f.groupsOfServices(s)
	}
	if f.minGroup > 1 {
		groups = f.largeGroups(s, groups)
	}
	if !maps.Equal(people, f.visible) || !maps.Equal(groups, f.groups) {
		f.visible, f.groups = people, groups
		f.revision++
	} else if f.codeGenerations == codes {
		return
	}
	f.codeGenerations = codes
	f.collectHidden(s)
}

// largeGroups returns the groups of a snapshot that have enough members. If groups are derived from
// services, it returns only those in derived, otherwise only those of the part.
func (f *PartFilter) largeGroups(s *Snapshot, derived map[string]bool) map[string]bool {
	if !f.derivesGroups {
		derived = f.partGroups
	}
	members, large := make(map[string]int), make(map[string]bool)
	for r := range s.Users.All() {
		for _, code := range r.Skillsets {
			if derived == nil || derived[code] {
				members[code]++
			}
		}
	}
	smallest := ""
	for code, n := range members {
		if n < f.minGroup {
			continue
		}
		large[code] = true
		if smallest == "" || n < members[smallest] || n == members[smallest] && code < smallest {
			smallest = code
		}
	}
	if len(members) == len(large)+1 {
		delete(large, smallest)
	}
	for r := range s.Groups.All() { // also groups without members
		if code := r.Code.text(); derived == nil || derived[code] {
			members[code] += 0
		}
	}
	f.smallGroupCount = len(members) - len(large)
	return large
}

// groupsOfServices returns the groups in which each member serves at least one visible service.
func (f *PartFilter) groupsOfServices(s *Snapshot) map[string]bool {
	groups := make(map[string]bool)
	for r := range s.Users.All() {
		serves := slices.ContainsFunc(r.Services, func(code string) bool { return f.services[code] })
		for _, code := range r.Skillsets {
			others, known := groups[code]
			groups[code] = serves && (others || !known)
		}
	}
	maps.DeleteFunc(groups, func(_ string, seen bool) bool { return !seen })
	return groups
}

// isVisible reports whether a person matches every list of the part. A person whose record lacks
// the data for a list is not visible. onSite is true if the person's figures name a visible site.
func (f *PartFilter) isVisible(r *User, onSite bool) bool {
	in := func(set map[string]bool, codes []string) bool {
		return set == nil || slices.ContainsFunc(codes, func(code string) bool { return set[code] })
	}
	return in(f.services, r.Services) && in(f.requiredGroups, r.Skillsets) && (f.sites == nil || onSite || f.sites[r.Site.String()])
}

// collectHidden sets the hidden words: the names of people who are not visible, and the codes of
// services and groups outside the part.
func (f *PartFilter) collectHidden(s *Snapshot) {
	f.hiddenWords = newHiddenWords()
	for r := range s.Users.All() {
		if !f.visible[r.Username.text()] {
			f.hiddenWords.add(r.Username.text(), r.Name.text(), r.Surname.text())
		}
	}
	for r := range s.UserStats.All() {
		if !f.visible[r.Username.text()] {
			f.hiddenWords.add(r.Username.text(), r.Name.text(), r.Surname.text())
		}
	}
	for r := range s.Services.All() {
		if !isInSet(f.services, r.Code) {
			f.hiddenWords.add(r.Code.text())
		}
	}
	for r := range s.Groups.All() {
		if !isInSet(f.groups, r.Code) {
			f.hiddenWords.add(r.Code.text())
		}
	}
}

// narrowUser returns a person's record without the services and groups outside the part.
func (f *PartFilter) narrowUser(r *User) *User {
	out := *r
	out.Services, out.Skillsets = keepInSet(f.services, r.Services), keepInSet(f.groups, r.Skillsets)
	if f.minGroup > 1 && len(out.Skillsets) == 0 && len(r.Skillsets) > 0 {
		out.Skillsets = nil // unknown
	}
	return &out
}

func keepInSet(set map[string]bool, codes []string) []string {
	if set == nil || codes == nil {
		return codes
	}
	out := make([]string, 0, len(codes)) // an empty list is known; nil is not
	for _, code := range codes {
		if set[code] {
			out = append(out, code)
		}
	}
	return out
}

func (f *PartFilter) narrowUserStat(r *UserStat) *UserStat {
	hideService := r.CurrentService.text() != "" && !isInSet(f.services, r.CurrentService)
	hideGroup := r.CurrentGroup.text() != "" && !isInSet(f.groups, r.CurrentGroup)
	if !hideService && !hideGroup {
		return r
	}
	out := *r
	if hideService {
		out.CurrentService = TextOf(hiddenCodeText)
	}
	if hideGroup {
		out.CurrentGroup = TextOf(hiddenCodeText)
		if f.minGroup > 1 { // the mark would show who has a contact of a small group
			out.CurrentGroup = Text{}
		}
	}
	return &out
}

// narrowedTable caches the visible part of a table.
type narrowedTable[K comparable, T any, R Record[K, T]] struct {
	source, narrowed *Table[K, T]
	kept             []*T   // visible records of source; those in narrowed have the same indexes
	revision         uint64 // revision in the last call of apply
}

// apply returns a table with the records for which keep returns true, converted by change. A nil
// change converts nothing. Callers pass a new revision when keep or change would return other
// results for the same records.
func (n *narrowedTable[K, T, R]) apply(t *Table[K, T], revision uint64, keep func(*T) bool, change func(*T) *T) *Table[K, T] {
	if t == n.source && revision == n.revision {
		return n.narrowed
	}
	before, old := n.narrowed, n.kept
	var kept, rows []*T
	for _, r := range t.Rows() {
		if !keep(r) {
			continue
		}
		at := len(kept)
		kept = append(kept, r)
		switch {
		case at < len(old) && old[at] == r && revision == n.revision:
			rows = append(rows, before.rows[at])
		case change != nil:
			rows = append(rows, change(r))
		default:
			rows = append(rows, r)
		}
	}
	n.narrowed = &Table[K, T]{rows: rows}
	if before != nil && slices.EqualFunc(rows, before.rows, func(a, b *T) bool { return R(a).Key() == R(b).Key() }) {
		n.narrowed.index, n.narrowed.generation = before.index, before.generation
	} else {
		n.narrowed.index = make(map[K]int, len(rows))
		for i, r := range rows {
			n.narrowed.index[R(r).Key()] = i
		}
		n.narrowed.generation = before.Generation() + 1
	}
	n.source, n.kept, n.revision = t, kept, revision
	return n.narrowed
}
