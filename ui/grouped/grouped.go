// Package grouped puts the rows of a table under the groups that they belong to. A group is
// a line of its own, and folds: then it is all that is left of its rows. Who belongs to
// several groups stands in each of them.
package grouped

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wallboard/ui/table"
)

// Place is a group that a row belongs to. Groups stand in the order of their ranks, and of
// those that are equal in the order of their titles.
type Place struct {
	Rank  int
	Title string
	Code  string // what it is known by; "": by its title
}

func (p Place) compare(other Place) int {
	return cmp.Or(cmp.Compare(p.Rank, other.Rank), cmp.Compare(p.Title, other.Title), cmp.Compare(p.Code, other.Code))
}

// id tells groups apart.
func (p Place) id() string { return cmp.Or(p.Code, p.Title) }

// Group is a group as it is drawn.
type Group struct {
	Title  string
	Rows   []int32 // those that match the filter, by their places in what is grouped
	Folded bool

	// What stands under each other in the lines of all groups has the room that these take:
	// the longest title, and the most rows.
	Longest string
	Most    int
}

// Kind says what the groups of a table are and how they are drawn.
type Kind struct {
	// Places returns the groups of row i, one at least.
	Places func(i int) []Place
	// Draw sets the text of the line of a group, and the mark in front of it.
	Draw func(g *Group, dst *table.Row)
	// Salt tells the lines of groups from those that are drawn otherwise.
	Salt uint64
}

// Rows are rows in groups.
type Rows struct {
	of     table.RowSource
	kind   Kind
	filter string
	desc   bool
	seed   maphash.Seed
	folded map[string]bool
	left   map[string]string // the key that was selected in a group when it was folded

	groups  []group
	longest string
	most    int
	lines   []line
	matches int // how many rows match the filter, each counted once
}

type group struct {
	Place

	rows, shown []int32
	salt        uint64 // tells the versions of its lines from those elsewhere
}

// line is a row, or the line of its group: then row is -1.
type line struct {
	group, row int32
	key        string
}

// apart stands between the key of a row and the group that it is listed in again, and in
// front of the key of a group: no key of a record has it.
const apart = "\x00"

var _ table.RowSource = (*Rows)(nil)

// New returns rows in groups that hold nothing yet.
func New() *Rows {
	return &Rows{seed: maphash.MakeSeed(), folded: make(map[string]bool), left: make(map[string]string)}
}

// Record returns the key of the row that the key of a line stands for; ok is false for the
// line of a group.
func Record(key string) (record string, ok bool) {
	record, _, _ = strings.Cut(key, apart)
	return record, !strings.HasPrefix(key, apart)
}

// Update takes over the rows of now, of which those are counted that match a filter.
func (r *Rows) Update(of table.RowSource, filter string, kind Kind) {
	r.of, r.filter, r.kind = of, filter, kind
	r.collect()
	r.lines = r.lines[:0]
	first := make(map[int32]bool, of.Len())
	for at := range r.groups {
		g := &r.groups[at]
		r.lines = append(r.lines, line{int32(at), -1, apart + g.id()})
		for _, i := range g.rows {
			key := of.Key(int(i))
			if first[i] {
				key += apart + g.id()
			}
			first[i] = true
			if !r.folded[g.id()] {
				r.lines = append(r.lines, line{int32(at), i, key})
			}
		}
	}
}

// collect puts all rows into their groups.
func (r *Rows) collect() {
	at := make(map[Place]int)
	r.groups, r.matches = r.groups[:0], 0
	for i := range r.of.Len() {
		matches := r.filter == "" || r.of.Matches(i, r.filter)
		if matches {
			r.matches++
		}
		for _, p := range r.kind.Places(i) {
			n, ok := at[p]
			if !ok {
				n = len(r.groups)
				at[p] = n
				r.groups = append(r.groups, group{Place: p, salt: maphash.String(r.seed, p.id())})
			}
			g := &r.groups[n]
			g.rows = append(g.rows, int32(i))
			if matches {
				g.shown = append(g.shown, int32(i))
			}
		}
	}
	slices.SortFunc(r.groups, func(a, b group) int { return a.compare(b.Place) })
	r.longest, r.most = "", 0
	for i := range r.groups {
		g := &r.groups[i]
		r.most = max(r.most, len(g.rows))
		if utf8.RuneCountInString(g.Title) > utf8.RuneCountInString(r.longest) {
			r.longest = g.Title
		}
	}
}

// Counts returns how many groups there are, how many rows, and how many of those match.
func (r *Rows) Counts() (groups, rows, matching int) {
	if r.of == nil {
		return 0, 0, 0
	}
	return len(r.groups), r.of.Len(), r.matches
}

// SetDescending says in which direction the table sorts within the groups.
func (r *Rows) SetDescending(desc bool) { r.desc = desc }

// Toggle folds the group of a line, or unfolds it, and returns the key of the line to be
// selected then: of the group, or of the row that was selected before it was folded.
func (r *Rows) Toggle(key string) string {
	at := slices.IndexFunc(r.lines, func(l line) bool { return l.key == key })
	if at < 0 {
		return key
	}
	id := r.groups[r.lines[at].group].id()
	if r.folded[id] {
		delete(r.folded, id)
		return r.back(id)
	}
	r.folded[id], r.left[id] = true, key
	return apart + id
}

// back is the key to be selected in a group that is unfolded.
func (r *Rows) back(id string) string {
	key := r.left[id]
	delete(r.left, id)
	return cmp.Or(key, apart+id)
}

// ToggleAll folds all groups, or unfolds them if all are, as [Rows.Toggle] does with one.
func (r *Rows) ToggleAll(key string) string {
	id := ""
	if at := slices.IndexFunc(r.lines, func(l line) bool { return l.key == key }); at >= 0 {
		id = r.groups[r.lines[at].group].id()
	}
	if !slices.ContainsFunc(r.groups, func(g group) bool { return !r.folded[g.id()] }) {
		key = r.back(id)
		clear(r.folded)
		clear(r.left)
		return key
	}
	if !r.folded[id] {
		r.left[id] = key
	}
	for i := range r.groups {
		r.folded[r.groups[i].id()] = true
	}
	return apart + id
}

// Code is what the group of a line is known by, "" of the line of a row.
func (r *Rows) Code(key string) string {
	at := slices.IndexFunc(r.lines, func(l line) bool { return l.key == key && l.row < 0 })
	if at < 0 {
		return ""
	}
	return r.groups[r.lines[at].group].Code
}

// Carry folds what is folded in other rows.
func (r *Rows) Carry(from *Rows) {
	r.folded, r.left = maps.Clone(from.folded), maps.Clone(from.left)
}

// Len implements [table.Source].
func (r *Rows) Len() int { return len(r.lines) }

// Key implements [table.Source].
func (r *Rows) Key(i int) string { return r.lines[i].key }

// Version implements [table.Source]. That of a row is another one in another group, where it
// has another place; that of a group changes with those of its rows.
func (r *Rows) Version(i int) uint64 {
	const spread = 0x9E3779B97F4A7C15
	l := &r.lines[i]
	g := &r.groups[l.group]
	if l.row >= 0 {
		return r.of.Version(int(l.row)) ^ g.salt
	}
	v := g.salt ^ r.kind.Salt ^ maphash.String(r.seed, r.longest) + uint64(len(strconv.Itoa(r.most)))
	if r.folded[g.id()] {
		v = ^v
	}
	for _, row := range g.shown {
		v = v*spread + r.of.Version(int(row)) + uint64(row) //nolint:gosec // rows are counted from 0
	}
	return v
}

// Compare implements [table.Source]: groups keep their order whichever way their rows are
// sorted.
func (r *Rows) Compare(i, j, col int) int {
	a, b := &r.lines[i], &r.lines[j]
	c := cmp.Compare(a.group, b.group)
	if c == 0 && a.row >= 0 && b.row >= 0 {
		return r.of.Compare(int(a.row), int(b.row), col)
	}
	if c == 0 {
		c = cmp.Compare(min(a.row, 0), min(b.row, 0))
	}
	if r.desc {
		return -c
	}
	return c
}

// Matches implements [table.Source]: the line of a group stays as long as one of its rows
// does.
func (r *Rows) Matches(i int, filter string) bool {
	l := &r.lines[i]
	if l.row >= 0 {
		return r.of.Matches(int(l.row), filter)
	}
	return slices.ContainsFunc(r.groups[l.group].rows, func(row int32) bool { return r.of.Matches(int(row), filter) })
}

// Row implements [table.RowSource].
func (r *Rows) Row(i int, dst *table.Row) {
	l := &r.lines[i]
	if l.row >= 0 {
		r.of.Row(int(l.row), dst)
		return
	}
	g := &r.groups[l.group]
	r.kind.Draw(&Group{g.Title, g.shown, r.folded[g.id()], r.longest, r.most}, dst)
}

// News implements [table.Herald]; of a group there is none.
func (r *Rows) News(i int) table.News {
	if h, is := r.of.(table.Herald); is && r.lines[i].row >= 0 {
		return h.News(int(r.lines[i].row))
	}
	return table.News{}
}

// Cell implements [table.Source]; a group has none.
func (r *Rows) Cell(i, col int, dst *table.Cell) {
	if l := &r.lines[i]; l.row >= 0 {
		r.of.Cell(int(l.row), col, dst)
	}
}
