package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"wallboard/ui/table"
)

// pastTable is a table of what a search has found. Its rows do not change until
// the next one.
type pastTable struct {
	table   *table.Model
	columns []table.Column
}

// pastRow is one thing that was found.
type pastRow struct {
	key   string
	cells []pastCell
}

// pastCell is a text, and what it is sorted by before it is sorted as a text.
type pastCell struct {
	text  string
	order int64
}

// pastRows implements [table.Source].
type pastRows struct{ rows []pastRow }

func (s *pastRows) Len() int                         { return len(s.rows) }
func (s *pastRows) Key(i int) string                 { return s.rows[i].key }
func (s *pastRows) Version(int) uint64               { return 1 }
func (s *pastRows) Cell(i, col int, dst *table.Cell) { dst.String(s.rows[i].cells[col].text) }
func (s *pastRows) Matches(i int, filter string) bool {
	return slices.ContainsFunc(s.rows[i].cells, func(c pastCell) bool {
		return strings.Contains(strings.ToLower(c.text), strings.ToLower(filter))
	})
}

// Compare implements [table.Source].
func (s *pastRows) Compare(i, j, col int) int {
	a, b := s.rows[i].cells[col], s.rows[j].cells[col]
	return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.text, b.text))
}

func newPastTable(sc *scene, columns []table.Column, sort string, desc bool) *pastTable {
	keys := table.DefaultKeyMap()
	for _, b := range []*key.Binding{
		&keys.ScrollLeft, &keys.ScrollRight, &keys.SortPrev, &keys.SortNext, &keys.SortReverse, &keys.Activate,
	} {
		b.Unbind()
	}
	t := &pastTable{columns: columns}
	t.table = table.New(table.WithKeyMap(keys), table.WithGlyphs(sc.look.TableGlyphs()), table.WithScrollbar(),
		table.WithColumns(columns...), table.WithFlash(0))
	t.restyle(sc)
	t.table.SortBy(sort, desc)
	return t
}

func (t *pastTable) restyle(sc *scene) { t.table.SetStyles(sc.look.TableStyles()) }

// set shows other rows, from the first on. Of those with one id, which the
// platform should not have, only the first can be opened.
func (t *pastTable) set(rows []pastRow) {
	seen := make(map[string]bool, len(rows))
	for i := range rows {
		if seen[rows[i].key] {
			rows[i].key += "\x00" + itoa(i)
		}
		seen[rows[i].key] = true
	}
	t.table.SetSource(&pastRows{rows})
	t.table.ScrollTo(0)
}

// sortNext sorts by the next visible column, in that column's own direction.
func (t *pastTable) sortNext() {
	visible := t.table.VisibleColumns()
	if len(visible) == 0 {
		return
	}
	now, _ := t.table.Sort()
	id := visible[(slices.Index(visible, now)+1)%len(visible)]
	for _, c := range t.columns {
		if c.ID == id {
			t.table.SortBy(id, c.Desc)
		}
	}
}

func (t *pastTable) sortReverse() {
	if id, desc := t.table.Sort(); id != "" {
		t.table.SortBy(id, !desc)
	}
}

// selected returns the id of the selected row.
func (t *pastTable) selected() (string, bool) {
	k, ok := t.table.Selected()
	id, _, _ := strings.Cut(k, "\x00")
	return id, ok
}

// lines draws the table at a place on the screen.
func (t *pastTable) lines(sc *scene, x, y, w, h int) []string {
	t.table.SetWidthMethod(sc.look.Widths)
	t.table.SetOrigin(x, y)
	t.table.SetSize(w, h)
	return t.table.Lines()
}
