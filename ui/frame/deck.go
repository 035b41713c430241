package frame

import (
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// MaxFigures is the largest number of figures of a card.
const MaxFigures = 3

// Sizes of a card: Least cells, and Small lines for digits of three lines with their
// names in the frame, or Large lines for digits of five lines with their names below.
const (
	MinWidth         = 24
	figureWidth      = 15
	namedFigureWidth = 17
	SmallHeight      = style.PanelFrameLines + chart.HalfRows
	LargeHeight      = style.PanelFrameLines + chart.DigitRows + 1
)

// Grid is a layout of cards. The last row may have empty places.
type Grid struct{ Columns, Rows, W, H, Empty int }

// Figures returns the number of figures that fit on a card.
func (g Grid) Figures() int {
	if g.H <= SmallHeight { // the frame contains their names
		return min(max((g.W-1-style.PanelSideCells)/namedFigureWidth, 1), MaxFigures)
	}
	return min(max((g.W-1-style.PanelSideCells)/figureWidth, 1), MaxFigures)
}

// Dot returns the size of the dots of a card's digits, for [chart.Digits]: the digits
// grow before the chart below them does.
func (g Grid) Dot(set chart.Set) int {
	const usually = "0:00"
	return chart.DotFor(usually, set, (g.W-1-style.PanelSideCells)/g.Figures(), g.H-style.PanelFrameLines-1)
}

// isBetter reports whether the grid is more legible than another: more figures, larger
// digits, better proportions, and fewer empty places.
func (g Grid) isBetter(o Grid) bool {
	if g.Figures() != o.Figures() {
		return g.Figures() > o.Figures()
	}
	if large := g.H >= LargeHeight; large != (o.H >= LargeHeight) {
		return large
	}
	if tall := g.Dot(chart.Blocks); tall != o.Dot(chart.Blocks) {
		return tall > o.Dot(chart.Blocks)
	}
	const form = 4 // cells per line
	off := func(g Grid) int { return max(g.W-form*g.H, form*g.H-g.W) + g.Empty*g.W/2 }
	return off(g) < off(o)
}

// Fit returns the best grid for n cards in w cells and h lines; ok is false if they do
// not fit.
func Fit(n, w, h int) (best Grid, ok bool) {
	for columns := 1; columns <= min(n, w/MinWidth); columns++ {
		rows := (n + columns - 1) / columns
		g := Grid{columns, rows, w / columns, h / rows, columns*rows - n}
		if g.H >= SmallHeight && (!ok || g.isBetter(best)) {
			best, ok = g, true
		}
	}
	return best, ok
}
