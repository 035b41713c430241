package textlayout

import (
	"strings"

	"wallboard/themes"
)

// Column is a column of a [Pen.Grid].
type Column struct {
	title      string
	alignRight bool
}

// LeftColumn returns a left-aligned column.
func LeftColumn(title string) Column { return Column{title: title} }

// RightColumn returns a right-aligned column, for example for numbers.
func RightColumn(title string) Column { return Column{title: title, alignRight: true} }

// gridGap is the number of spaces between the columns of a grid.
const gridGap = 2

// Grid appends a small table whose columns are as wide as their widest cells. If there is not
// enough room, it narrows the first column first, and then the others. Without rows it appends
// nothing.
func (p *Pen) Grid(cols []Column, rows ...[]Span) {
	if len(rows) == 0 {
		return
	}
	widths := p.gridWidths(cols, rows)
	titles := make([]Span, len(cols))
	titled := false
	for i, c := range cols {
		titles[i] = Span{c.title, themes.Dim}
		titled = titled || c.title != ""
	}
	if titled {
		p.appendGridRow(cols, titles, widths)
	}
	for _, r := range rows {
		p.appendGridRow(cols, r, widths)
	}
}

// gridWidths returns the widths of the columns of a grid in cells.
func (p *Pen) gridWidths(cols []Column, rows [][]Span) []int {
	// Minimum width of the first column. Most names fit into it, so the numbers beside the names do
	// not move when names appear and disappear.
	const firstColumn = 22
	widths := make([]int, len(cols))
	for c := range cols {
		widths[c] = len(cols[c].title)
		for _, r := range rows {
			_, w := p.fit(r[c].Text, p.Width)
			widths[c] = max(widths[c], w)
		}
	}
	need := gridGap * (len(cols) - 1)
	for _, w := range widths[1:] {
		need += w
	}
	natural := widths[0]
	widths[0] = min(max(natural, firstColumn), p.Width-need)
	minimum := min(natural, firstColumn/2, p.Width)
	if widths[0] >= minimum {
		return widths
	}
	widths[0] = minimum
	available := max(p.Width-minimum-gridGap*(len(cols)-1), 0)
	for c := 1; c < len(cols); c++ {
		widths[c] = min(widths[c], available/(len(cols)-c))
		available -= widths[c]
	}
	return widths
}

func (p *Pen) appendGridRow(cols []Column, cells []Span, widths []int) {
	var b strings.Builder
	b.Grow(p.Width + styleBytesPerLine)
	x := 0
	for c, s := range cells {
		if c > 0 {
			n := min(gridGap, p.Width-x)
			writeBlanks(&b, n)
			x += n
		}
		w := min(widths[c], p.Width-x)
		p.writeCell(&b, s, w, cols[c].alignRight)
		x += w
	}
	writeBlanks(&b, p.Width-x)
	p.Lines = append(p.Lines, b.String())
}
