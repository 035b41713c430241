package dialog

import (
	"wallboard/themes"
	"wallboard/ui/style"
)

// Prose builds an explanation from top to bottom, in lines of limited width.
type Prose struct {
	Look  *style.Look
	Width int
	Lines []string
}

// Add appends drawn lines.
func (p *Prose) Add(lines ...string) { p.Lines = append(p.Lines, lines...) }

// Text writes a sentence.
func (p *Prose) Text(t themes.Token, s string) { p.Add(p.Look.Wrap(t, s, p.Width)...) }

// Heading writes a heading with a blank line above it.
func (p *Prose) Heading(s string) {
	p.Add("")
	p.Text(themes.Title, s)
}

// Row writes a first cell at the left and others of equal width at the right. If they
// do not fit side by side, the first cell is on a line of its own.
func (p *Prose) Row(t themes.Token, first string, cells ...string) {
	const widest = 12
	cell := min(widest, p.Width/len(cells))
	l := style.NewLine(p.Width, p.Look.Glyphs.Ellipsis)
	left := p.Width - cell*len(cells)
	if style.Width(first) > left {
		p.Text(t, first)
		first = ""
	}
	l.Add(p.Look.Style(t), style.Fit(first, left, p.Look.Glyphs.Ellipsis))
	for _, c := range cells {
		c = style.Cut(c, cell-1, p.Look.Glyphs.Ellipsis)
		l.Space(themes.Style{}, cell-style.Width(c)).Add(p.Look.Style(t), c)
	}
	p.Add(l.End(themes.Style{}))
}
