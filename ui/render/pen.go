package render

import (
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/sheet"
)

// block is a titled part of a detail view.
type block struct {
	title string
	draw  func(*pen)
}

// pen draws a detail view.
type pen struct {
	*sheet.Pen
	v *View
}

// pen returns a pen that draws lines of width cells.
func (v *View) pen(width int) *pen {
	return &pen{&sheet.Pen{Ink: v.ink(), Width: width}, v}
}

func (v *View) ink() sheet.Ink {
	return sheet.Ink{Theme: v.Options.Theme, ASCII: v.Options.ASCII, Measure: v.Options.Width}
}

// layout draws blocks into lines of exactly width cells.
func (v *View) layout(width int, heading block, blocks ...block) []string {
	of := func(b block) sheet.Block {
		return sheet.Block{Title: b.title, Draw: func(p *sheet.Pen) { b.draw(&pen{p, v}) }}
	}
	parts := make([]sheet.Block, len(blocks))
	for i, b := range blocks {
		parts[i] = of(b)
	}
	return sheet.Layout(v.ink(), width, of(heading), parts...)
}

// set returns the characters that charts are drawn with.
func (v *View) set() chart.Set {
	if v.Options.ASCII {
		return chart.ASCII
	}
	return chart.Blocks
}

// gauge returns a horizontal bar.
func (v *View) gauge(width int) chart.Gauge {
	return chart.Gauge{
		Width: width, Set: v.set(),
		Style: v.style(themes.Gauge), EmptyStyle: v.style(themes.GaugeEmpty),
	}
}
