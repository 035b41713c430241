package dialog

import (
	"wallboard/themes"
	"wallboard/ui/style"
)

// TextBuilder builds the lines of an explanation from top to bottom. The lines are at most Width cells
// wide.
type TextBuilder struct {
	Look  *style.Look
	Width int
	Lines []string
}

// Add appends drawn lines.
func (p *TextBuilder) Add(lines ...string) { p.Lines = append(p.Lines, lines...) }

// Text appends s in the style of a theme token, wrapped at Width.
func (p *TextBuilder) Text(t themes.Token, s string) { p.Add(p.Look.Wrap(t, s, p.Width)...) }

// Heading appends a blank line and a heading.
func (p *TextBuilder) Heading(s string) {
	p.Add("")
	p.Text(themes.Title, s)
}

// Row appends a line with first on the left and cells of equal width on the right. A single cell is
// as wide as its text. If first does not fit beside the cells, it gets separate lines.
func (p *TextBuilder) Row(t themes.Token, first string, cells ...string) {
	const widest = 12
	cell := min(widest, p.Width/len(cells))
	if len(cells) == 1 {
		cell = min(max(cell, style.Width(cells[0])+1), p.Width)
	}
	l := style.NewLine(p.Width, p.Look.Glyphs.Ellipsis)
	left := p.Width - cell*len(cells)
	if style.Width(first) > left {
		p.Text(t, first)
		first = ""
	}
	l.Add(p.Look.Style(t), style.Fit(first, left, p.Look.Glyphs.Ellipsis))
	for _, c := range cells {
		c = style.Truncate(c, cell-1, p.Look.Glyphs.Ellipsis)
		l.Space(themes.Style{}, cell-style.Width(c)).Add(p.Look.Style(t), c)
	}
	p.Add(l.Finish(themes.Style{}))
}
