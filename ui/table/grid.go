package table

import (
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// visibleColumns holds the visible columns from left to right.
type visibleColumns struct {
	first  []placedColumn // columns on the first line of each row
	second []placedColumn // columns on the second line of each row; empty: rows have one line
}

// grid holds the columns of a table and their layout.
type grid struct {
	columns       []Column
	twoLines      bool // rows may have two lines
	visible       visibleColumns
	widestText    []int // by column: the largest width of a text so far; 0 if no text was measured
	measuredWidth int   // width of the table at which widestText was measured
	fixedColumns  bool  // the widths of columns do not depend on the contents
	hasCutText    bool  // a text is wider than its column and than all earlier texts in it
}

// placeFirstLine lays out the columns of the first line within width, starting at cell left. sorted
// is the index of the sort column, whose title gets room for an arrow that is sign cells wide.
func (g *grid) placeFirstLine(width, left, sorted, sign int, method ansi.Method) {
	columns := g.columns
	if sorted != noSortColumn {
		if n := TextWidth(method, cleanText(columns[sorted].Title)) + sign; n > columns[sorted].min() && n > sign {
			columns = slices.Clone(columns)
			columns[sorted].Min = n
		}
	}
	held := g.widestText
	if g.fixedColumns {
		held = make([]int, len(columns))
	}
	g.visible.first = layoutColumns(columns, held, width, left)
}

// secondLineIndent is the indentation of the second line of a row, in cells. secondLineGap is the
// number of spaces between the columns of that line.
const (
	secondLineIndent = 2
	secondLineGap    = 3
)

// placeSecondLine puts the columns with a title that are not on the first line on the second line
// of rows, as far as they fit. The title of each column precedes its value.
func (g *grid) placeSecondLine(width, left int, method ansi.Method) {
	var rest []Column
	var labels, cols []int
	for i, c := range g.columns {
		if c.Title == "" || slices.ContainsFunc(g.visible.first, func(p placedColumn) bool { return p.col == i }) {
			continue
		}
		label := TextWidth(method, cleanText(c.Title)) + columnGap
		c.Min = label + c.min() + secondLineGap - columnGap
		c.Ideal, c.Weight = c.Min, 0 // keeps a figure near its title
		if c.Min > width-secondLineIndent {
			continue
		}
		rest, labels, cols = append(rest, c), append(labels, label), append(cols, i)
	}
	g.visible.second = layoutColumns(rest, make([]int, len(rest)), width-secondLineIndent, left+secondLineIndent)
	for i := range g.visible.second {
		p := &g.visible.second[i]
		p.col, p.labelWidth = cols[p.col], labels[p.col]
		p.width -= secondLineGap - columnGap
	}
}

// lineColumns returns the columns of the first or the second line of a row.
func (g *grid) lineColumns(second bool) []placedColumn {
	if second {
		return g.visible.second
	}
	return g.visible.first
}

// linesPerRow returns the number of lines that each row takes, 1 or 2.
func (g *grid) linesPerRow() int {
	if len(g.visible.second) > 0 {
		return 2
	}
	return 1
}

// visibleIDs returns the IDs of the visible columns: those of the first line from left to right,
// followed by those of the second line.
func (g *grid) visibleIDs() []string {
	ids := make([]string, 0, len(g.visible.first)+len(g.visible.second))
	for _, p := range slices.Concat(g.visible.first, g.visible.second) {
		ids = append(ids, g.columns[p.col].ID)
	}
	return ids
}

// sortableColumn returns the index of the column with an ID. It returns [noSortColumn] if the column
// does not exist or the table cannot be sorted by it.
func (g *grid) sortableColumn(id string) int {
	for i, c := range g.columns {
		if c.ID == id && !c.NoSort {
			return i
		}
	}
	return noSortColumn
}

// columnAt returns the ID of the column at the cell x of the first line. It returns "" if there is
// none.
func (g *grid) columnAt(x int) string {
	for _, p := range g.visible.first {
		if x >= p.x && x < p.x+p.width {
			return g.columns[p.col].ID
		}
	}
	return ""
}

// nextColumn returns the index of the next visible column by which the table can be sorted,
// starting after col in the direction of step. It returns [noSortColumn] if there is no such column.
func (g *grid) nextColumn(col, step int) int {
	all := slices.Concat(g.visible.first, g.visible.second)
	n := len(all)
	index := -1
	for i, p := range all {
		if p.col == col {
			index = i
		}
	}
	if index < 0 && step < 0 {
		index = 0
	}
	for range n {
		index = (index + step + n) % n
		if c := all[index].col; !g.columns[c].NoSort {
			return c
		}
	}
	return noSortColumn
}

// wantedWidth returns the width of a cell's full text. It returns -1 if the column cannot grow. It
// also returns -1 for text with its own styles, because such text already has the width of the
// column.
func (g *grid) wantedWidth(c placedColumn, cell *Cell, method ansi.Method) int {
	if g.columns[c.col].Weight <= 0 || cell.HasEscapes {
		return -1
	}
	n, ok := plainWidth(cell.Text)
	if !ok {
		n = TextWidth(method, cleanText(string(cell.Text)))
	}
	return max(n, cell.WantedWidth)
}

// recordWidth records n, the width of a text, if it is the largest width in its column so far. It
// ignores -1. The first recorded width is at least that of the column's title with the sort arrow.
func (g *grid) recordWidth(c placedColumn, n int, method ansi.Method) {
	if n >= 0 && g.widestText[c.col] == 0 {
		n = max(n, TextWidth(method, cleanText(g.columns[c.col].Title))+1)
	}
	if n > g.widestText[c.col] {
		g.widestText[c.col] = n
		g.hasCutText = g.hasCutText || n > c.width
	}
}
