package floorview

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

// GroupKey identifies a group of rows. Groups are sorted by rank, then by title.
type GroupKey struct {
	Rank  int
	Title string
	Code  string // identifies the group; "": the title identifies it
}

func (p GroupKey) compare(other GroupKey) int {
	return cmp.Or(cmp.Compare(p.Rank, other.Rank), cmp.Compare(p.Title, other.Title), cmp.Compare(p.Code, other.Code))
}

// id returns a string that identifies the group.
func (p GroupKey) id() string { return cmp.Or(p.Code, p.Title) }

// RowGroup holds the data from which the line of a group is drawn.
type RowGroup struct {
	Title  string
	Rows   []int32 // source indices of the rows of the group that match the filter
	Folded bool

	// LongestTitle is the longest title of all groups. MaxRows is the largest number of rows of all
	// groups. They are used to align the lines of the groups.
	LongestTitle string
	MaxRows      int
}

// Grouping describes how rows are grouped and how the lines of the groups are drawn.
type Grouping struct {
	// GroupsOf returns the groups of row i, at least one.
	GroupsOf func(i int) []GroupKey
	// DrawLine draws the line of a group into dst.Text.
	DrawLine func(g *RowGroup, dst *table.Row)
	// DrawVersion is a part of the versions of the groups' lines. It must change when DrawLine
	// draws the same group in another way.
	DrawVersion uint64
}

// GroupedRows is a [table.RowSource] that arranges the rows of another RowSource in groups. Each group
// has its own line.
type GroupedRows struct {
	source         table.RowSource
	grouping       Grouping
	filter         string
	desc           bool
	seed           maphash.Seed
	folded         map[string]bool
	selectedAtFold map[string]string // for each group, the key that was selected when the group was folded

	groups       []group
	longestTitle string
	maxRows      int
	lines        []line
	matchCount   int // number of rows that match the filter; a row in several groups counts once
}

type group struct {
	GroupKey

	rows, matching []int32 // source indices of all rows, and of the rows that match the filter
	versionSalt    uint64  // makes the versions of a row differ between groups
}

// line is a line of the table. It is a row or, if row is -1, the line of a group.
type line struct {
	group, row int32
	key        string
}

// separator separates the key of a repeated row from its group. It is also the first character of a
// group's key. Keys of records do not contain it.
const separator = "\x00"

var _ table.RowSource = (*GroupedRows)(nil)

// NewGroupedRows returns a GroupedRows without rows.
func NewGroupedRows() *GroupedRows {
	return &GroupedRows{seed: maphash.MakeSeed(), folded: make(map[string]bool), selectedAtFold: make(map[string]string)}
}

// RecordKey returns the key of the record on the line with the given key. ok is false if the line
// is that of a group.
func RecordKey(key string) (record string, ok bool) {
	record, _, _ = strings.Cut(key, separator)
	return record, !strings.HasPrefix(key, separator)
}

// Update arranges rows in groups as described by kind, and counts the rows that match the filter.
func (r *GroupedRows) Update(rows table.RowSource, filter string, kind Grouping) {
	r.source, r.filter, r.grouping = rows, filter, kind
	r.groupRows()
	r.lines = r.lines[:0]
	first := make(map[int32]bool, rows.Len())
	for index := range r.groups {
		g := &r.groups[index]
		r.lines = append(r.lines, line{int32(index), -1, separator + g.id()})
		for _, i := range g.rows {
			key := rows.Key(int(i))
			if first[i] {
				key += separator + g.id()
			}
			first[i] = true
			if !r.folded[g.id()] {
				r.lines = append(r.lines, line{int32(index), i, key})
			}
		}
	}
}

// groupRows assigns each row to its groups, and sorts the groups.
func (r *GroupedRows) groupRows() {
	indexes := make(map[GroupKey]int)
	r.groups, r.matchCount = r.groups[:0], 0
	for i := range r.source.Len() {
		matches := r.filter == "" || r.source.Matches(i, r.filter)
		if matches {
			r.matchCount++
		}
		for _, p := range r.grouping.GroupsOf(i) {
			n, ok := indexes[p]
			if !ok {
				n = len(r.groups)
				indexes[p] = n
				r.groups = append(r.groups, group{GroupKey: p, versionSalt: maphash.String(r.seed, p.id())})
			}
			g := &r.groups[n]
			g.rows = append(g.rows, int32(i))
			if matches {
				g.matching = append(g.matching, int32(i))
			}
		}
	}
	slices.SortFunc(r.groups, func(a, b group) int { return a.compare(b.GroupKey) })
	r.longestTitle, r.maxRows = "", 0
	for i := range r.groups {
		g := &r.groups[i]
		r.maxRows = max(r.maxRows, len(g.rows))
		if utf8.RuneCountInString(g.Title) > utf8.RuneCountInString(r.longestTitle) {
			r.longestTitle = g.Title
		}
	}
}

// Counts returns the number of groups, the number of rows, and the number of rows that match the
// filter. A row in several groups counts once.
func (r *GroupedRows) Counts() (groups, rows, matching int) {
	if r.source == nil {
		return 0, 0, 0
	}
	return len(r.groups), r.source.Len(), r.matchCount
}

// SetDescending sets the direction in which the table sorts the rows within a group.
func (r *GroupedRows) SetDescending(desc bool) { r.desc = desc }

// ToggleFold folds or unfolds the group of the line with the given key. It returns the key of the
// line to select: the group's line or, after unfolding, the row that was selected when the group
// was folded.
func (r *GroupedRows) ToggleFold(key string) string {
	index := slices.IndexFunc(r.lines, func(l line) bool { return l.key == key })
	if index < 0 {
		return key
	}
	id := r.groups[r.lines[index].group].id()
	if r.folded[id] {
		delete(r.folded, id)
		return r.takeSelectedKey(id)
	}
	r.folded[id], r.selectedAtFold[id] = true, key
	return separator + id
}

// takeSelectedKey returns the key of the line to select in a group that is being unfolded, and
// forgets it.
func (r *GroupedRows) takeSelectedKey(id string) string {
	key := r.selectedAtFold[id]
	delete(r.selectedAtFold, id)
	return cmp.Or(key, separator+id)
}

// ToggleAllFolds folds all groups. If all groups are folded, it unfolds them instead. key is the
// key of the selected line. It returns the key of the line to select, see [GroupedRows.ToggleFold].
func (r *GroupedRows) ToggleAllFolds(key string) string {
	id := ""
	if index := slices.IndexFunc(r.lines, func(l line) bool { return l.key == key }); index >= 0 {
		id = r.groups[r.lines[index].group].id()
	}
	if !slices.ContainsFunc(r.groups, func(g group) bool { return !r.folded[g.id()] }) {
		key = r.takeSelectedKey(id)
		clear(r.folded)
		clear(r.selectedAtFold)
		return key
	}
	if !r.folded[id] {
		r.selectedAtFold[id] = key
	}
	for i := range r.groups {
		r.folded[r.groups[i].id()] = true
	}
	return separator + id
}

// GroupCode returns the code of the group whose line has the given key. It returns "" if there is no
// such line or the group has no code.
func (r *GroupedRows) GroupCode(key string) string {
	index := slices.IndexFunc(r.lines, func(l line) bool { return l.key == key && l.row < 0 })
	if index < 0 {
		return ""
	}
	return r.groups[r.lines[index].group].Code
}

// CopyFoldsFrom folds the groups that are folded in other.
func (r *GroupedRows) CopyFoldsFrom(other *GroupedRows) {
	r.folded, r.selectedAtFold = maps.Clone(other.folded), maps.Clone(other.selectedAtFold)
}

// Len implements [table.Source].
func (r *GroupedRows) Len() int { return len(r.lines) }

// Key implements [table.Source].
func (r *GroupedRows) Key(i int) string { return r.lines[i].key }

// Version implements [table.Source]. A row in several groups has a different version in each
// group. The version of a group's line depends on the versions of the rows of the group that
// match the filter.
func (r *GroupedRows) Version(i int) uint64 {
	const hashFactor = 0x9E3779B97F4A7C15
	l := &r.lines[i]
	g := &r.groups[l.group]
	if l.row >= 0 {
		return r.source.Version(int(l.row)) ^ g.versionSalt
	}
	v := g.versionSalt ^ r.grouping.DrawVersion ^ maphash.String(r.seed, r.longestTitle) + uint64(len(strconv.Itoa(r.maxRows)))
	if r.folded[g.id()] {
		v = ^v
	}
	for _, row := range g.matching {
		v = v*hashFactor + r.source.Version(int(row)) + uint64(row) //nolint:gosec // rows are counted from 0
	}
	return v
}

// Compare implements [table.Source]. The sort column determines the order of the rows within a
// group. It does not affect the order of the groups.
func (r *GroupedRows) Compare(i, j, col int) int {
	a, b := &r.lines[i], &r.lines[j]
	c := cmp.Compare(a.group, b.group)
	if c == 0 && a.row >= 0 && b.row >= 0 {
		return r.source.Compare(int(a.row), int(b.row), col)
	}
	if c == 0 {
		c = cmp.Compare(min(a.row, 0), min(b.row, 0))
	}
	if r.desc {
		return -c
	}
	return c
}

// Matches implements [table.Source]. The line of a group matches if at least one row of the group
// matches.
func (r *GroupedRows) Matches(i int, filter string) bool {
	l := &r.lines[i]
	if l.row >= 0 {
		return r.source.Matches(int(l.row), filter)
	}
	return slices.ContainsFunc(r.groups[l.group].rows, func(row int32) bool { return r.source.Matches(int(row), filter) })
}

// Value implements [table.RowSource]. The line of a group has the title of the group in the first
// column.
func (r *GroupedRows) Value(i, col int) table.Value {
	l := &r.lines[i]
	switch {
	case l.row >= 0:
		return r.source.Value(int(l.row), col)
	case col == 0:
		title := r.groups[l.group].Title
		return table.Value{Known: true, Text: title}
	}
	return table.Value{}
}

// Row implements [table.RowSource].
func (r *GroupedRows) Row(i int, dst *table.Row) {
	l := &r.lines[i]
	if l.row >= 0 {
		r.source.Row(int(l.row), dst)
		return
	}
	g := &r.groups[l.group]
	r.grouping.DrawLine(&RowGroup{g.Title, g.matching, r.folded[g.id()], r.longestTitle, r.maxRows}, dst)
}

// ChangeSign implements [table.ChangeSignSource]. The line of a group has no news.
func (r *GroupedRows) ChangeSign(i int) table.ChangeSign {
	if h, ok := r.source.(table.ChangeSignSource); ok && r.lines[i].row >= 0 {
		return h.ChangeSign(int(r.lines[i].row))
	}
	return table.ChangeSign{}
}

// Cell implements [table.Source]. The line of a group has no cells.
func (r *GroupedRows) Cell(i, col int, dst *table.Cell) {
	if l := &r.lines[i]; l.row >= 0 {
		r.source.Cell(int(l.row), col, dst)
	}
}
