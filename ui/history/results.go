package history

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// resultTable is the table of a search's results. Its rows change only with the next search.
type resultTable struct {
	table     *table.Model
	columnsOf func(*style.Look) []table.Column // returns the columns with titles in the language of a look
	columns   []table.Column
}

// resultRow is a row of the table of results.
type resultRow struct {
	key   string
	cells []resultCell
}

// resultCell is the text of a cell and its sort key. Cells with equal keys are sorted by text.
type resultCell struct {
	text    string
	sortKey int64
}

// resultRows is the [table.Source] of a [resultTable].
type resultRows struct{ rows []resultRow }

func (s *resultRows) Len() int                         { return len(s.rows) }
func (s *resultRows) Key(i int) string                 { return s.rows[i].key }
func (s *resultRows) Version(int) uint64               { return 1 }
func (s *resultRows) Cell(i, col int, dst *table.Cell) { dst.AppendString(s.rows[i].cells[col].text) }

func (s *resultRows) Matches(i int, filter string) bool {
	return slices.ContainsFunc(s.rows[i].cells, func(c resultCell) bool {
		return strings.Contains(textnorm.Fold(c.text), textnorm.Fold(filter))
	})
}

// Compare implements [table.Source].
func (s *resultRows) Compare(i, j, col int) int {
	a, b := s.rows[i].cells[col], s.rows[j].cells[col]
	return cmp.Or(cmp.Compare(a.sortKey, b.sortKey), strings.Compare(a.text, b.text))
}

func newResultTable(lk *style.Look, columns func(*style.Look) []table.Column, sort string, desc bool) *resultTable {
	t := &resultTable{columnsOf: columns}
	t.table = table.New(table.WithKeyMap(table.MovingKeyMap()), table.WithGlyphs(lk.TableGlyphs()), table.WithScrollbar(), table.WithFlash(0))
	t.restyle(lk)
	t.table.SortBy(sort, desc)
	return t
}

func (t *resultTable) restyle(lk *style.Look) {
	t.table.SetStyles(lk.TableStyles())
	t.columns = t.columnsOf(lk)
	t.table.SetColumns(t.columns...)
}

// withRoomForTitles widens columns that are narrower than their titles.
func withRoomForTitles(columns []table.Column) []table.Column {
	for i := range columns {
		c := &columns[i]
		c.Min = max(c.Min, style.Width(c.Title))
		c.Ideal = max(c.Ideal, c.Min)
	}
	return columns
}

// setRows replaces the rows and scrolls to the first row. If several rows have the same ID, their
// keys are made distinct; each of these rows then opens the first of them.
func (t *resultTable) setRows(rows []resultRow) {
	seen := make(map[string]bool, len(rows))
	for i := range rows {
		if seen[rows[i].key] {
			rows[i].key += "\x00" + strconv.Itoa(i)
		}
		seen[rows[i].key] = true
	}
	t.table.SetSource(&resultRows{rows})
	t.table.ScrollTo(0)
}

// sortByNextColumn sorts the table by the next visible column, in that column's default direction.
func (t *resultTable) sortByNextColumn() {
	visible := t.table.VisibleColumns()
	if len(visible) == 0 {
		return
	}
	current, _ := t.table.Sort()
	id := visible[(slices.Index(visible, current)+1)%len(visible)]
	for _, c := range t.columns {
		if c.ID == id {
			t.table.SortBy(id, c.SortDescending)
		}
	}
}

func (t *resultTable) reverseSort() {
	if id, desc := t.table.Sort(); id != "" {
		t.table.SortBy(id, !desc)
	}
}

// selected returns the ID of the selected row. The bool result is false if no row is selected.
func (t *resultTable) selected() (string, bool) {
	k, ok := t.table.Selected()
	id, _, _ := strings.Cut(k, "\x00")
	return id, ok
}

// lines draws the table. Its top left corner is at x, y on the screen.
func (t *resultTable) lines(lk *style.Look, x, y, w, h int) []string {
	t.table.SetWidthMethod(lk.WidthMethod)
	t.table.SetOrigin(x, y)
	t.table.SetSize(w, h)
	return t.table.Lines()
}

// press handles the keys that sort the table or move the selection. It returns false for all other
// keys.
func (t *resultTable) press(shared *SharedKeys, msg tea.KeyPressMsg) bool {
	m := t.table.KeyMap
	switch {
	case key.Matches(msg, shared.Sort):
		t.sortByNextColumn()
	case key.Matches(msg, shared.Reverse):
		t.reverseSort()
	case key.Matches(msg, m.LineUp, m.LineDown, m.PageUp, m.PageDown, m.GotoTop, m.GotoBottom):
		t.table.Update(msg)
	default:
		return false
	}
	return true
}

// ignoreClicks makes the table ignore clicks until it is redrawn.
func (t *resultTable) ignoreClicks() { t.table.SetSize(0, 0) }

// resultCountLines draws the number of results. If s is not nil, the result is incomplete; the
// lines then say so, followed by remedy, which says how to get the missing results.
func resultCountLines(lk *style.Look, n int, s *model.Incomplete, remedy words.Text, w int) []string {
	token, text := themes.Dim, words.HistoryFound(n)
	if s != nil {
		token, text = themes.Warn, words.HistoryFoundPart(words.ListShortfall(s), remedy)
	}
	lines := lk.Wrap(token, lk.Translate(text), max(w-1, 1))
	for i := range lines {
		lines[i] = style.Fit(" "+lines[i], w, lk.Glyphs.Ellipsis)
	}
	return lines
}
