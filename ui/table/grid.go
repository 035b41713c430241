package table

import "github.com/charmbracelet/x/ansi"

// grid is the columns, and which of them have a place.
type grid struct {
	columns  []Column
	placed   []placed
	widest   []int // by column: the width of what it has held, 0 if that does not matter
	measured int   // the width of the table that widest is of
	cut      bool  // a text is wider than any before it, and than its column
}

// place gives each column its place in a width, from left on.
func (g *grid) place(width, left int) {
	g.placed = layout(g.columns, g.widest, width, left)
}

// ids returns the IDs of the columns that have a place, from left to right.
func (g *grid) ids() []string {
	ids := make([]string, len(g.placed))
	for i, p := range g.placed {
		ids[i] = g.columns[p.col].ID
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
	n := len(g.placed)
	at := -1
	for i, p := range g.placed {
		if p.col == col {
			at = i
		}
	}
	if at < 0 && step < 0 {
		at = 0
	}
	for range n {
		at = (at + step + n) % n
		if c := g.placed[at].col; !g.columns[c].NoSort {
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
