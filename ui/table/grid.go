package table

import (
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// grid is the columns, and which of them have a place.
type grid struct {
	columns  []Column
	tall     bool // rows may have two lines
	placed   []placed
	under    []placed // on the second line of a row; none: rows have one line
	widest   []int    // by column: the width of what it has held, 0 if that does not matter
	measured int      // the width of the table that widest is of
	cut      bool     // a text is wider than any before it, and than its column
}

// place gives each column its place in a width, from left on. The one that is sorted by, if
// any, has room for a sign behind its title.
func (g *grid) place(width, left, sorted, sign int, method ansi.Method) {
	columns := g.columns
	if sorted != unsorted {
		if n := method.StringWidth(clean(columns[sorted].Title)) + sign; n > columns[sorted].min() && n > sign {
			columns = slices.Clone(columns)
			columns[sorted].Min = n
		}
	}
	g.placed = layout(columns, g.widest, width, left)
}

// What is on a second line begins farther in, and stands farther apart.
const (
	indent = 2
	apart  = 3
)

// placeUnder gives the columns that have no place on the first line of a row one on its
// second, each after its title.
func (g *grid) placeUnder(width, left int, method ansi.Method) {
	var rest []Column
	var labels, cols []int
	for i, c := range g.columns {
		if c.Title == "" || slices.ContainsFunc(g.placed, func(p placed) bool { return p.col == i }) {
			continue
		}
		label := method.StringWidth(clean(c.Title)) + gap
		c.Min = label + c.min() + apart - gap
		c.Ideal, c.Weight = c.Min, 0 // a figure stays near its title
		if c.Min > width-indent {
			continue
		}
		rest, labels, cols = append(rest, c), append(labels, label), append(cols, i)
	}
	g.under = layout(rest, make([]int, len(rest)), width-indent, left+indent)
	for i := range g.under {
		p := &g.under[i]
		p.col, p.label = cols[p.col], labels[p.col]
		p.width -= apart - gap
	}
}

// part is the columns of one of the lines of a row.
func (g *grid) part(second bool) []placed {
	if second {
		return g.under
	}
	return g.placed
}

// rowLines is how many lines a row has.
func (g *grid) rowLines() int {
	if len(g.under) > 0 {
		return 2
	}
	return 1
}

// ids returns the IDs of the columns that have a place, from left to right, line by line.
func (g *grid) ids() []string {
	ids := make([]string, 0, len(g.placed)+len(g.under))
	for _, p := range slices.Concat(g.placed, g.under) {
		ids = append(ids, g.columns[p.col].ID)
	}
	return ids
}

// byID returns the column with an ID that may be sorted by, else unsorted.
func (g *grid) byID(id string) int {
	for i, c := range g.columns {
		if c.ID == id && !c.NoSort {
			return i
		}
	}
	return unsorted
}

// at returns the ID of the column at x, "" beside all columns.
func (g *grid) at(x int) string {
	for _, p := range g.placed {
		if x >= p.x && x < p.x+p.width {
			return g.columns[p.col].ID
		}
	}
	return ""
}

// beside returns the next column from col in a direction that has a place and
// may be sorted by, else unsorted.
func (g *grid) beside(col, step int) int {
	all := slices.Concat(g.placed, g.under)
	n := len(all)
	at := -1
	for i, p := range all {
		if p.col == col {
			at = i
		}
	}
	if at < 0 && step < 0 {
		at = 0
	}
	for range n {
		at = (at + step + n) % n
		if c := all[at].col; !g.columns[c].NoSort {
			return c
		}
	}
	return unsorted
}

// wants is how wide the text of a cell is, in a column that may grow, else -1. What
// carries its own styles is made for the width it is given.
func (g *grid) wants(c placed, cell *Cell, method ansi.Method) int {
	if g.columns[c.col].Weight <= 0 || cell.Raw {
		return -1
	}
	n, ok := plain(cell.Text)
	if !ok {
		n = method.StringWidth(clean(string(cell.Text)))
	}
	return max(n, cell.Want)
}

// widen notes how wide a text is, -1 for one that does not matter, and once how wide
// the title of its column is, with the arrow of the sort.
func (g *grid) widen(c placed, n int, method ansi.Method) {
	if n >= 0 && g.widest[c.col] == 0 {
		n = max(n, method.StringWidth(clean(g.columns[c.col].Title))+1)
	}
	if n > g.widest[c.col] {
		g.widest[c.col] = n
		g.cut = g.cut || n > c.width
	}
}
