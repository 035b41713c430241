package chart

// Plot is a chart of one or more series over the same time, with a scale at its left
// and ticks below. The samples are spread over the whole width. A column with several
// samples is drawn from the lowest to the highest of them. Series differ in glyph and
// style.
type Plot struct {
	// Width and Height are in cells, including scale and ticks.
	Width, Height int
	// ScaleWidth is the width of the labels of the scale; longer ones are omitted.
	ScaleWidth int
	// EndWidth is the width of the labels at the right edge.
	EndWidth int
	// Scale is the scale of the chart, from Min to Max. Without a Step it has labels at
	// its ends, and in the middle if the number of lines is odd.
	Scale
	// Label returns a value of the scale as text.
	Label func(float64) string
	// Ends lists the labels at the right edge, the most important first. Labels that do
	// not fit beside their value are omitted.
	Ends []EndLabel
	// Ticks are drawn below the chart; those that do not fit are omitted. Without
	// ticks, the chart is two lines higher.
	Ticks []Tick
	// Marks are signs on the axis, the most important last. If several share a position, the others
	// move aside.
	Marks []Mark
	// Band is drawn as a shade behind lines, and as a texture on areas.
	Band Band
	// Target is the value of a reference line, NaN for none.
	Target float64
	// Cursor is the index of the marked sample, -1 for none.
	Cursor int
	Set    CharSet
	// WithGlyphs draws glyphs on the lines, to distinguish them without colors.
	WithGlyphs bool
	// Axis, TargetStyle and CursorStyle are escape sequences, "" for none.
	AxisStyle, TargetStyle, CursorStyle string
}

// Series is one line of a [Plot].
type Series struct {
	Values []float64 // NaN is a gap
	Glyph  string    // one cell wide; ASCII lines consist of it, others only with [Plot.WithGlyphs]
	Style  string
	Area   []Shade // fill below the values, see [Area]; nil: a line
}

// Band is the area between two series, such as a baseline.
type Band struct {
	Low, High     []float64 // NaN is a gap
	Glyph         string    // used if the shade has no background color
	Shade         Shade
	OverAreaStyle string // style of the band on areas
}

// LegendSample returns one cell of the band, for a legend.
func (b *Band) LegendSample() string {
	style, glyph := b.Shade.Fg, b.Glyph
	if b.Shade.Bg != "" {
		style, glyph = b.Shade.Bg, " "
	}
	return string(appendStyled(nil, style, func(dst []byte) []byte { return append(dst, glyph...) }))
}

// EndLabel is a label at the right edge of a [Plot], beside a value.
type EndLabel struct {
	Value       float64
	Text, Style string
}

// Mark is a sign on the axis of a [Plot], at a sample.
type Mark struct {
	Sample       int
	Glyph, Style string
}

// Tick is a labeled position on the axis of a [Plot].
type Tick struct {
	Sample int // index of the sample
	Label  string
}

// axisLines is the height of ticks and their labels.
const axisLines = 2

// Render returns Height lines of Width cells.
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

// canvas returns the size of the area for the series, without scale, end labels and ticks.
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

// column returns the canvas column of a sample, out of n samples.
func (p Plot) column(sample, n int) int {
	w, _ := p.canvas()
	return min(max(sample, 0)*w/max(n, 1), w-1)
}

// SampleAt returns the index of the sample, out of n, that is drawn in column x of the plot, or -1.
func (p Plot) SampleAt(x, n int) int {
	w, _ := p.canvas()
	if x -= p.ScaleWidth + 1; x < 0 || x >= w || n == 0 {
		return -1
	}
	return min((x*n+w-1)/w, n-1)
}
