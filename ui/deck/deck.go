// Package deck lays cards out on a screen that is read from some metres away: in a grid in
// which each has room for as many and as large figures as can be.
package deck

import (
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// Most is how many figures a card has at most.
const Most = 3

// What a card takes: Least cells, and Small lines for digits of three lines, whose names
// stand in its frame, or Large ones for digits of five with their names below.
const (
	Least      = 24
	figureRoom = 15
	namedRoom  = 17
	Small      = look.PanelAbove + chart.HalfRows
	Large      = look.PanelAbove + chart.DigitRows + 1
)

// Grid is how cards stand. Some places of the last row may be empty.
type Grid struct{ Columns, Rows, W, H, Empty int }

// Figures is how many figures a card has room for.
func (g Grid) Figures() int {
	if g.H <= Small { // the frame has to name them
		return min(max((g.W-1-look.PanelBeside)/namedRoom, 1), Most)
	}
	return min(max((g.W-1-look.PanelBeside)/figureRoom, 1), Most)
}

// Dot is how large the dots of the figures of cards are, as [chart.Digits] have it: the digits
// grow before the chart below them does.
func (g Grid) Dot(set chart.Set) int {
	const usually = "0:00"
	return chart.DotFor(usually, set, (g.W-1-look.PanelBeside)/g.Figures(), g.H-look.PanelAbove-1)
}

// better reports whether cards are read better than in another grid: by more figures,
// larger digits, a form that is neither flat nor narrow, and few empty places.
func (g Grid) better(o Grid) bool {
	if g.Figures() != o.Figures() {
		return g.Figures() > o.Figures()
	}
	if large := g.H >= Large; large != (o.H >= Large) {
		return large
	}
	if tall := g.Dot(chart.Blocks); tall != o.Dot(chart.Blocks) {
		return tall > o.Dot(chart.Blocks)
	}
	const form = 4 // cells to a line
	off := func(g Grid) int { return max(g.W-form*g.H, form*g.H-g.W) + g.Empty*g.W/2 }
	return off(g) < off(o)
}

// Of returns how n cards stand best in w cells and h lines; ok is false where they
// have no room.
func Of(n, w, h int) (best Grid, ok bool) {
	for columns := 1; columns <= min(n, w/Least); columns++ {
		rows := (n + columns - 1) / columns
		g := Grid{columns, rows, w / columns, h / rows, columns*rows - n}
		if g.H >= Small && (!ok || g.better(best)) {
			best, ok = g, true
		}
	}
	return best, ok
}
