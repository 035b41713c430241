package chart

// Plot is a chart of one or more series over the same time, with a scale at the left and ticks
// below. The samples are spread over the whole width. If a column stands for several samples, its
// line reaches from the lowest to the highest of them. Series can be distinguished by their glyphs
// and styles.
type Plot struct {
	// Width and Height are the size of the chart in cells, with its scale and its ticks.
	Width, Height int
	// ScaleWidth is the width of the labels of the scale. A longer label is omitted.
	ScaleWidth int
	// EndWidth is the width of the labels at the right edge, with a blank before them.
	EndWidth int
	// Scale is the range of the chart, from Min to Max, and the distance of its labels. If Step is
	// 0, the labels are at both ends, and in the middle if the number of lines is odd.
	Scale
	// Label returns the text for a value of the scale.
	Label func(float64) string
	// Ends lists the labels at the right edge, the most important first. A label is omitted if
	// there is no room for it near its value.
	Ends []EndLabel
	// Ticks are drawn below the chart. A tick whose label does not fit is omitted. If there are no
	// ticks, the canvas is two lines higher.
	Ticks []Tick
	// Marks are signs on the axis, the most important last. If several marks have the same
	// position, the most important one stays there and the others move aside.
	Marks []Mark
	// Band is drawn as a shade behind lines, and as a texture on areas.
	Band Band
	// Target is the value at which a reference line is drawn, or NaN for none.
	Target float64
	// Cursor is the index of the marked sample, or -1 for none.
	Cursor int
	Set    CharSet
	// WithGlyphs draws the glyph of each series on its line, so that lines can be distinguished
	// without colors.
	WithGlyphs bool
	// AxisStyle, TargetStyle and CursorStyle are escape sequences, or "" for none.
	AxisStyle, TargetStyle, CursorStyle string
}

// Series is one line of a [Plot].
type Series struct {
	Values []float64 // NaN is a gap
	Glyph  string    // one cell wide; a line in ASCII consists of it, other lines have it only with [Plot.WithGlyphs]
	Style  string
	Area   []Shade // fill below the values, see [Area]; nil: a line
}

// Band is the area between a lower and an upper bound, such as the typical values.
type Band struct {
	Low, High     []float64 // bounds for each sample; NaN is a gap
	Glyph         string    // character of the band if its shade has no background color
	Shade         Shade
	OverAreaStyle string // style of the band on areas
}

// LegendSample returns one cell in the style of the band, for a legend.
func (b *Band) LegendSample() string {
	style, glyph := b.Shade.Fg, b.Glyph
	if b.Shade.Bg != "" {
		style, glyph = b.Shade.Bg, " "
	}
	return string(appendStyled(nil, style, func(dst []byte) []byte { return append(dst, glyph...) }))
}

// EndLabel is a label at the right edge of a [Plot], on the line of a value.
type EndLabel struct {
	Value       float64
	Text, Style string
}

// Mark is a sign on the axis of a [Plot], at the column of a sample.
type Mark struct {
	Sample       int
	Glyph, Style string
}

// Tick is a labeled position on the axis of a [Plot].
type Tick struct {
	Sample int // index of the sample
	Label  string
}

// axisLines is the number of lines for the ticks and their labels.
const axisLines = 2

// Render returns the chart: Height lines of Width cells.
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
		lines[y] = string(p.appendEnd(appendCells(p.leftEdge(labels[y]), cells[y*w:(y+1)*w]), ends[y]))
	}
	if h < p.Height {
		rule, times := p.tickLines(sampleCount(series), w)
		lines[h], lines[h+1] = string(appendRepeated(rule, " ", p.EndWidth)), string(appendRepeated(times, " ", p.EndWidth))
	}
	return lines
}

// canvas returns the size of the area in which the series are drawn: the chart without scale,
// labels at the right and ticks.
func (p Plot) canvas() (w, h int) {
	w, h = p.Width-p.ScaleWidth-1-p.EndWidth, p.Height
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

// column returns the column of the canvas in which a sample is drawn. n is the number of samples.
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
