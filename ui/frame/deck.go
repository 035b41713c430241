package frame

import (
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// MaxFigures is the maximum number of figures on a card.
const MaxFigures = 3

// Sizes of cards and of the figures on them, in cells and lines.
const (
	MinCardWidth     = 24
	figureWidth      = 15 // width of a figure with its name below it
	namedFigureWidth = 17 // width of a figure with its name in the frame of the card
	// SmallCardHeight is the height of a card whose digits are three lines high and whose frame
	// contains the names of the figures.
	SmallCardHeight = style.PanelFrameLines + chart.HalfDigitRows
	// LargeCardHeight is the height of a card whose digits are five lines high, with the names of
	// the figures below them.
	LargeCardHeight = style.PanelFrameLines + chart.DigitRows + 1
)

// Grid is a layout of cards that are W cells wide and H lines high. Empty is the number of empty
// places in the last row.
type Grid struct{ Columns, Rows, W, H, Empty int }

// FiguresPerCard returns the number of figures that fit on a card.
func (g Grid) FiguresPerCard() int {
	if g.H <= SmallCardHeight { // the frame contains the names of the figures
		return min(max((g.W-1-style.PanelSideCells)/namedFigureWidth, 1), MaxFigures)
	}
	return min(max((g.W-1-style.PanelSideCells)/figureWidth, 1), MaxFigures)
}

// DotSize returns the largest [chart.Digits.DotHeight] that fits on a card. A higher card first gets
// larger digits, then a higher chart.
func (g Grid) DotSize(set chart.CharSet) int {
	const usually = "0:00"
	return chart.DotHeightFor(usually, set, (g.W-1-style.PanelSideCells)/g.FiguresPerCard(), g.H-style.PanelFrameLines-1)
}

// isBetter reports whether the grid g is more legible than o: more figures, larger digits, better
// proportions, or fewer empty places.
func (g Grid) isBetter(o Grid) bool {
	if g.FiguresPerCard() != o.FiguresPerCard() {
		return g.FiguresPerCard() > o.FiguresPerCard()
	}
	if large := g.H >= LargeCardHeight; large != (o.H >= LargeCardHeight) {
		return large
	}
	if tall := g.DotSize(chart.Blocks); tall != o.DotSize(chart.Blocks) {
		return tall > o.DotSize(chart.Blocks)
	}
	const form = 4 // ratio of width in cells to height in lines of a well-proportioned card
	off := func(g Grid) int { return max(g.W-form*g.H, form*g.H-g.W) + g.Empty*g.W/2 }
	return off(g) < off(o)
}

// FitGrid returns the most legible grid of n cards in w cells and h lines. ok is false if the cards
// do not fit.
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

// DrawCard draws the card with the given index, w cells wide and at least h lines high.
type DrawCard func(index, w, h int) []string

// Draw draws n cards in w cells and h lines. It calls card for each of them with the same height,
// so that all cards look alike.
func (g Grid) Draw(n, w, h int, card DrawCard) []string {
	var out []string
	for row := range g.Rows {
		rowHeight := (row+1)*h/g.Rows - row*h/g.Rows
		lines := make([]string, rowHeight)
		for column := range g.Columns {
			cardWidth := (column+1)*w/g.Columns - column*w/g.Columns
			drawn := style.FitLines(nil, cardWidth, rowHeight, "")
			if index := row*g.Columns + column; index < n {
				drawn = style.FillLines(card(index, cardWidth-1, g.H), cardWidth-1, rowHeight)
				for i := range drawn {
					drawn[i] += " " // gap to the next card
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

// CardLayout is a layout of cards in which the first cards are large. The other cards have at most half
// their area, or are drawn as cells of a strip.
type CardLayout struct {
	LargeCards Grid // layout of the first cards
	LargeLines int  // number of lines of all large cards together
	SmallCards Grid // layout of the other cards; if it has no rows, CellStrip is used
	CellStrip  Grid // layout of the other cards as a strip of cells
}

const minCellWidth = 20

// FitMixedCards returns the layout of n cards in w cells and h lines, and the number of large cards. This
// number is first, or less if there is not enough room; 0 means that no layout fits. If the other
// cards are drawn as a strip, the strip may have too few cells; the caller must then use the last
// cell for the number of missing cards.
func FitMixedCards(first, n, w, h int) (CardLayout, int) {
	for first = min(first, w/MinCardWidth*(h/SmallCardHeight)); first > 0; first-- {
		if d, ok := fitLargeCards(first, n-first, w, h); ok {
			return d, first
		}
	}
	return CardLayout{}, 0
}

func fitLargeCards(first, others, w, h int) (d CardLayout, ok bool) {
	for d.LargeLines = h / 2; d.LargeLines >= h/3 && others > 0; d.LargeLines-- {
		var small bool
		d.LargeCards, ok = FitGrid(first, w, d.LargeLines)
		d.SmallCards, small = FitGrid(others, w, h-d.LargeLines)
		if ok && small && d.LargeCards.W*d.LargeCards.H >= 2*d.SmallCards.W*d.SmallCards.H {
			return d, true
		}
	}
	d = CardLayout{LargeLines: h}
	if others > 0 {
		const highest = 3 // lines for a name, a state and a gap
		columns := max(w/minCellWidth, 1)
		strip := max(h-max(h/2, SmallCardHeight), 0)
		rows := min((others+columns-1)/columns, strip)
		if rows == 0 {
			return CardLayout{}, false
		}
		d.CellStrip = Grid{Columns: columns, Rows: rows, W: w / columns, H: min(strip/rows, highest)}
		d.LargeLines -= rows * d.CellStrip.H
	}
	d.LargeCards, ok = FitGrid(first, w, d.LargeLines)
	return d, ok
}
