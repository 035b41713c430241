package render

import (
	"strings"

	"wallboard/themes"
)

// gridColumn is a column of a [pen.grid].
type gridColumn struct {
	title string
	right bool
}

func left(title string) gridColumn  { return gridColumn{title: title} }
func right(title string) gridColumn { return gridColumn{title: title, right: true} }

// gridGap is the number of blanks between the columns of a grid.
const gridGap = 2

// grid appends a small table whose columns are as wide as their widest cell.
// When that is too wide, the first column gives way, then the others.
func (p *pen) grid(cols []gridColumn, rows ...[]span) {
	if len(rows) == 0 {
		return
	}
	widths := p.gridWidths(cols, rows)
	titles := make([]span, len(cols))
	titled := false
	for i, c := range cols {
		titles[i] = span{c.title, themes.Dim}
		titled = titled || c.title != ""
	}
	if titled {
		p.gridRow(cols, titles, widths)
	}
	for _, r := range rows {
		p.gridRow(cols, r, widths)
	}
}

// gridWidths returns the widths of a grid's columns.
func (p *pen) gridWidths(cols []gridColumn, rows [][]span) []int {
	// Names come and go in the first column; a width that most of them fit
	// into keeps the numbers beside them in place.
	const firstColumn = 22
	widths := make([]int, len(cols))
	for c := range cols {
		widths[c] = len(cols[c].title)
		for _, r := range rows {
			_, w := p.fit(r[c].text, p.width)
			widths[c] = max(widths[c], w)
		}
	}
	need := gridGap * (len(cols) - 1)
	for _, w := range widths[1:] {
		need += w
	}
	natural := widths[0]
	widths[0] = min(max(natural, firstColumn), p.width-need)
	least := min(natural, firstColumn/2, p.width)
	if widths[0] >= least {
		return widths
	}
	widths[0] = least
	room := max(p.width-least-gridGap*(len(cols)-1), 0)
	for c := 1; c < len(cols); c++ {
		widths[c] = min(widths[c], room/(len(cols)-c))
		room -= widths[c]
	}
	return widths
}

func (p *pen) gridRow(cols []gridColumn, cells []span, widths []int) {
	var b strings.Builder
	x := 0
	for c, s := range cells {
		if c > 0 {
			n := min(gridGap, p.width-x)
			blanks(&b, n)
			x += n
		}
		w := min(widths[c], p.width-x)
		p.cell(&b, s, w, cols[c].right)
		x += w
	}
	blanks(&b, p.width-x)
	p.lines = append(p.lines, b.String())
}
