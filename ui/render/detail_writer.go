package render

import (
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/textlayout"
)

// block is a titled part of a detail view.
type block struct {
	title words.Text
	draw  func(*detailWriter)
}

// detailWriter draws the blocks of a detail view line by line.
type detailWriter struct {
	*textlayout.Pen
	view *View
}

// newDetailWriter returns a detailWriter whose lines are width cells wide.
func (v *View) newDetailWriter(width int) *detailWriter {
	return &detailWriter{&textlayout.Pen{PenSettings: v.penSettings(), Width: width}, v}
}

func (v *View) penSettings() textlayout.PenSettings {
	return textlayout.PenSettings{Theme: v.Options.Theme, ASCII: v.Options.ASCII, WidthMethod: v.Options.WidthMethod}
}

// layoutBlocks returns the lines of heading and of the blocks below it, each exactly width cells
// wide.
func (v *View) layoutBlocks(width int, heading block, blocks ...block) []string {
	of := func(b block) textlayout.Block {
		return textlayout.Block{Title: v.translate(b.title), Draw: func(p *textlayout.Pen) { b.draw(&detailWriter{p, v}) }}
	}
	parts := make([]textlayout.Block, len(blocks))
	for i, b := range blocks {
		parts[i] = of(b)
	}
	return textlayout.Layout(v.penSettings(), width, of(heading), parts...)
}

// pair returns a labeled value.
func (p *detailWriter) pair(label words.Text, value textlayout.Span) textlayout.LabeledValue {
	return textlayout.NewLabeledValue(p.view.translate(label), value)
}

// partPair returns a labeled value that is a part of the one before it.
func (p *detailWriter) partPair(label words.Text, value textlayout.Span) textlayout.LabeledValue {
	return textlayout.NewLabeledValue(indented(p.view.translate(label)), value)
}

// leftColumn returns a left-aligned column of a grid.
func (p *detailWriter) leftColumn(title words.Text) textlayout.Column {
	return textlayout.LeftColumn(p.view.translate(title))
}

// rightColumn returns a right-aligned column of a grid.
func (p *detailWriter) rightColumn(title words.Text) textlayout.Column {
	return textlayout.RightColumn(p.view.translate(title))
}

// zeroSpan returns the label of a line about n items whose value is 0. known is the number of lines about
// other items. one returns the label if known is 0, and other returns it otherwise.
func (p *detailWriter) zeroSpan(known, n int, one, other func(int) words.Text) textlayout.Span {
	if known > 0 {
		one = other
	}
	return textlayout.NewSpan(p.view.translate(one(n)), themes.Dim)
}

// onChannel returns a function that adds the name of a channel to titles of blocks.
func onChannel(ch model.Channel) func(title words.Text) words.Text {
	return func(title words.Text) words.Text { return words.DetailOnChannel(title, words.ChannelName(ch)) }
}

// chartSet returns the set of characters for drawing charts.
func (v *View) chartSet() chart.CharSet {
	if v.Options.ASCII {
		return chart.ASCII
	}
	return chart.Blocks
}

// gauge returns a horizontal bar that is width cells wide.
func (v *View) gauge(width int) chart.Gauge {
	return chart.Gauge{
		Width: width, Set: v.chartSet(),
		Style: v.sgr(themes.Gauge), EmptyStyle: v.sgr(themes.GaugeEmpty),
	}
}
