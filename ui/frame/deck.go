package frame

import (
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// MaxFigures is the maximum number of figures on a card.
const MaxFigures = 3

// Sizes of a card in cells and lines.
const (
	MinCardWidth     = 24
	figureWidth      = 15 // width of a figure with its name below
	namedFigureWidth = 17 // width of a figure with its name in the card's frame
	// SmallCardHeight is the height of a card with digits of three lines and their names in the frame.
	SmallCardHeight = style.PanelFrameLines + chart.HalfRows
	// LargeCardHeight is the height of a card with digits of five lines and their names below.
	LargeCardHeight = style.PanelFrameLines + chart.DigitRows + 1
)

// Grid is a layout of cards of W cells and H lines. Empty is the number of empty places in the
// last row.
type Grid struct{ Columns, Rows, W, H, Empty int }

// Figures returns the number of figures that fit on a card.
func (g Grid) Figures() int {
	if g.H <= SmallCardHeight { // the frame contains the names of the figures
		return min(max((g.W-1-style.PanelSideCells)/namedFigureWidth, 1), MaxFigures)
	}
	return min(max((g.W-1-style.PanelSideCells)/figureWidth, 1), MaxFigures)
}

// DotSize returns the size of the dots of a card's digits, for [chart.Digits]. The digits get
// larger before a chart below them does.
func (g Grid) DotSize(set chart.CharSet) int {
	const usually = "0:00"
	return chart.DotHeightFor(usually, set, (g.W-1-style.PanelSideCells)/g.Figures(), g.H-style.PanelFrameLines-1)
}

// isBetter reports whether the grid is more legible than another: more figures, larger
// digits, better proportions, and fewer empty places.
func (g Grid) isBetter(o Grid) bool {
	if g.Figures() != o.Figures() {
		return g.Figures() > o.Figures()
	}
	if large := g.H >= LargeCardHeight; large != (o.H >= LargeCardHeight) {
		return large
	}
	if tall := g.DotSize(chart.Blocks); tall != o.DotSize(chart.Blocks) {
		return tall > o.DotSize(chart.Blocks)
	}
	const form = 4 // cells per line of a card with good proportions
	off := func(g Grid) int { return max(g.W-form*g.H, form*g.H-g.W) + g.Empty*g.W/2 }
	return off(g) < off(o)
}

// FitGrid returns the most legible grid for n cards in w cells and h lines. ok is false if the
// cards do not fit.
func FitGrid(n, w, h int) (best Grid, ok bool) {
	for columns := 1; columns <= min(n, w/MinCardWidth); columns++ {
		rows := (n + columns - 1) / columns
		g := Grid{columns, rows, w / columns, h / rows, columns*rows - n}
		if g.H >= SmallCardHeight && (!ok || g.isBetter(best)) {
			best, ok = g, true
		}
	}
	return best, ok
}

// DrawCard draws the card with an index in w cells and at least h lines.
type DrawCard func(index, w, h int) []string

// Draw draws n cards in w cells and h lines. It calls card for each of them, always with the same
// h, so that all cards look alike.
func (g Grid) Draw(n, w, h int, card DrawCard) []string {
	var out []string
	for row := range g.Rows {
		high := (row+1)*h/g.Rows - row*h/g.Rows
		lines := make([]string, high)
		for column := range g.Columns {
			wide := (column+1)*w/g.Columns - column*w/g.Columns
			drawn := style.FitLines(nil, wide, high, "")
			if index := row*g.Columns + column; index < n {
				drawn = style.FillLines(card(index, wide-1, g.H), wide-1, high)
				for i := range drawn {
					drawn[i] += " " // the gap to the next card
				}
			}
			for i := range lines {
				lines[i] += drawn[i]
			}
		}
		out = append(out, lines...)
	}
	return out
}

// Deck is a layout of cards in which the first cards are large. Other cards are at most half as
// large.
type Deck struct {
	Large      Grid // layout of the first cards
	LargeLines int  // lines of the large cards together
	Small      Grid // layout of the other cards; without rows, Cells is used
	Cells      Grid // layout of the other cards as a strip of small cells
}

// minCellWidth is the smallest width of a cell of a strip.
const minCellWidth = 20

// FitDeck returns the layout of n cards in w cells and h lines, and the number of large cards. This
// number is first, or less if room is short; 0 means that no layout fits. If the cards that are not
// large are drawn as a strip, the strip may have too few cells. The caller must then use its last
// cell to count the remaining cards.
func FitDeck(first, n, w, h int) (Deck, int) {
	for first = min(first, w/MinCardWidth*(h/SmallCardHeight)); first > 0; first-- {
		if d, ok := fitExactDeck(first, n-first, w, h); ok {
			return d, first
		}
	}
	return Deck{}, 0
}

func fitExactDeck(first, others, w, h int) (d Deck, ok bool) {
	for d.LargeLines = h / 2; d.LargeLines >= h/3 && others > 0; d.LargeLines-- {
		var small bool
		d.Large, ok = FitGrid(first, w, d.LargeLines)
		d.Small, small = FitGrid(others, w, h-d.LargeLines)
		if ok && small && d.Large.W*d.Large.H >= 2*d.Small.W*d.Small.H {
			return d, true
		}
	}
	d = Deck{LargeLines: h}
	if others > 0 {
		const highest = 3 // lines for the name, the state, and a gap
		columns := max(w/minCellWidth, 1)
		strip := max(h-max(h/2, SmallCardHeight), 0)
		rows := min((others+columns-1)/columns, strip)
		if rows == 0 {
			return Deck{}, false
		}
		d.Cells = Grid{Columns: columns, Rows: rows, W: w / columns, H: min(strip/rows, highest)}
		d.LargeLines -= rows * d.Cells.H
	}
	d.Large, ok = FitGrid(first, w, d.LargeLines)
	return d, ok
}
