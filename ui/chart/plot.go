package chart

// Plot is a chart of one or more series over the same time, with a scale on the left and ticks
// below. The samples are distributed over the whole width. If a column represents several samples,
// its line reaches from the lowest to the highest of them. Series differ in their glyphs and
// styles.
type Plot struct {
	// Width and Height are the size of the chart in cells and lines, including the scale and the
	// ticks.
	Width, Height int
	// ScaleWidth is the width of the labels of the scale in cells. A longer label is omitted.
	ScaleWidth int
	// EndLabelWidth is the width of the labels at the right edge in cells, including a space before
	// them.
	EndLabelWidth int
	// Scale is the range of the chart, from Min to Max, and the distance between the labels. If
	// Step is 0, there are labels at both ends and, on an odd number of lines from 5, in the middle.
	Scale
	// Label formats a value of the scale.
	Label func(float64) string
	// EndLabels are the labels at the right edge, most important first. A label is omitted if there is
	// no room near its value.
	EndLabels []EndLabel
	// Ticks are drawn below the chart. A tick is omitted if its label does not fit. Without ticks,
	// the canvas is two lines higher.
	Ticks []Tick
	// Marks are signs on the axis, most important last. If several marks have the same position, the
	// most important one stays there, and other signs are moved aside or, without room, omitted.
	Marks []Mark
	// Band is drawn as a shade behind lines, or as a texture on areas.
	Band Band
	// Target is the value at which a reference line is drawn; NaN means no line.
	Target float64
	// Cursor is the index of the marked sample, or -1.
	Cursor int
	Set    CharSet
	// WithGlyphs draws the glyph of each series on its line, so that lines can be distinguished
	// without colors.
	WithGlyphs bool
	// AxisStyle, TargetStyle and CursorStyle are escape sequences; "" means no style.
	AxisStyle, TargetStyle, CursorStyle string
}

// Series is a line or an area of a [Plot].
type Series struct {
	Values []float64 // NaN is a gap
	Glyph  string    // one cell wide; the line consists of it in ASCII; otherwise it is drawn only with [Plot.WithGlyphs]
	Style  string
	Area   []Shade // shades of the area below the values, see [Area.Shades]; nil: the series is a line
}

// Band is the area between a lower and an upper bound, such as the range of typical values.
type Band struct {
	Low, High     []float64 // bounds at each sample; NaN is a gap
	Glyph         string    // character of the band if its shade has no background color
	Shade         Shade
	OverAreaStyle string // style of the band on top of an area
}

// LegendSample returns a cell in the style of the band, for a legend.
func (b *Band) LegendSample() string {
	style, glyph := b.Shade.Fg, b.Glyph
	if b.Shade.Bg != "" {
		style, glyph = b.Shade.Bg, " "
	}
	return string(appendStyled(nil, style, func(dst []byte) []byte { return append(dst, glyph...) }))
}

// EndLabel is a label at the right edge of a [Plot], on the line of its value.
type EndLabel struct {
	Value       float64
	Text, Style string
}

// Mark is a sign on the axis of a [Plot], in the column of a sample.
type Mark struct {
	Sample       int
	Glyph, Style string
}

// Tick is a labeled position on the axis of a [Plot].
type Tick struct {
	Sample int // index of the sample
	Label  string
}

// axisLines is the number of lines for the axis with its ticks and for their labels.
const axisLines = 2

// Render returns the chart as Height lines of Width cells.
func (p Plot) Render(series []Series) []string {
	lines := make([]string, max(p.Height, 0))
	w, h := p.canvas()
	if w <= 0 || h <= 0 {
		for y := range lines {
			lines[y] = string(appendRepeated(nil, " ", p.Width))
		}
		return lines
	}
	cells := p.draw(series, w, h)
	labels, ends := p.scaleLabels(h), p.endLabels(h)
	for y := range h {
		lines[y] = string(p.appendEndLabel(appendCells(p.leftEdge(labels[y]), cells[y*w:(y+1)*w]), ends[y]))
	}
	if h < p.Height {
		rule, times := p.tickLines(sampleCount(series), w)
		lines[h], lines[h+1] = string(appendRepeated(rule, " ", p.EndLabelWidth)), string(appendRepeated(times, " ", p.EndLabelWidth))
	}
	return lines
}

// canvas returns the size of the area in which the series are drawn: the chart without the scale,
// the end labels and the ticks.
func (p Plot) canvas() (w, h int) {
	w, h = p.Width-p.ScaleWidth-1-p.EndLabelWidth, p.Height
	if len(p.Ticks) > 0 {
		h -= axisLines
	}
	return w, h
}

// sampleCount returns the number of samples of the longest series.
func sampleCount(series []Series) int {
	n := 0
	for _, s := range series {
		n = max(n, len(s.Values))
	}
	return n
}

// column returns the column of the canvas in which a sample is drawn, out of n samples.
func (p Plot) column(sample, n int) int {
	w, _ := p.canvas()
	return min(max(sample, 0)*w/max(n, 1), w-1)
}

// SampleAt returns the index of the sample that is drawn in column x of the chart, or -1 if there
// is none. n is the number of samples.
func (p Plot) SampleAt(x, n int) int {
	w, _ := p.canvas()
	if x -= p.ScaleWidth + 1; x < 0 || x >= w || n == 0 {
		return -1
	}
	return min((x*n+w-1)/w, n-1)
}
