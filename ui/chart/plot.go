package chart

// Plot is a chart of one or more series over the same time, with a scale at its
// left and ticks below. All samples are drawn, spread over the whole width:
// where several share a column, the column spans from the lowest to the highest
// of them. Series are told apart by their glyphs as well as by their styles.
type Plot struct {
	// Width and Height are in cells, scale and ticks included.
	Width, Height int
	// Gutter is how many cells the labels of the scale have; a longer one is
	// left out.
	Gutter int
	// Right is how many cells the labels at the right edge have.
	Right int
	// Scale is what the chart is drawn on, from Min to Max. Without a Step there
	// are labels at its ends, and in the middle where a line lies there.
	Scale
	// Label returns a value of the scale as text.
	Label func(float64) string
	// Ends are what stands at the right edge, the most important one first: what
	// has no room beside its value goes.
	Ends []End
	// Ticks are below the chart; those that have no room are left out. Without
	// any, the chart takes the two lines as well.
	Ticks []Tick
	// Marks are signs on the axis, of those in one place the last.
	Marks []Mark
	// Band is a shade behind the lines and the areas. Inside an area nothing of it is seen.
	Band Band
	// Target is a line to measure by, NaN for none.
	Target float64
	// Cursor is the sample that is marked, -1 for none.
	Cursor int
	Set    Set
	// Marked puts the glyphs of the lines on them: without colours nothing else tells them
	// apart.
	Marked bool
	// Axis, TargetStyle and CursorStyle are escape sequences, "" for none.
	Axis, TargetStyle, CursorStyle string
}

// Series is one line of a [Plot].
type Series struct {
	Values []float64 // NaN is a gap
	Glyph  string    // one cell wide: in ASCII the line is of it, see [Plot.Marked]
	Style  string
	Area   []Shade // fills it below the values, see [Area]; nil: it is a line
}

// Band is what lies between two series, such as what is usual.
type Band struct {
	Low, High []float64 // NaN is a gap
	Glyph     string    // where the shade has no colour to lie behind
	Shade     Shade
}

// Sample returns one cell of the band, for a legend.
func (b *Band) Sample() string {
	style, glyph := b.Shade.Fg, b.Glyph
	if b.Shade.Bg != "" {
		style, glyph = b.Shade.Bg, " "
	}
	return string(styled(nil, style, func(dst []byte) []byte { return append(dst, glyph...) }))
}

// End is a label at the right edge of a [Plot], beside a value.
type End struct {
	At          float64
	Text, Style string
}

// Mark is a sign on the axis of a [Plot], at a sample.
type Mark struct {
	At           int
	Glyph, Style string
}

// Tick is a place on the axis of a [Plot].
type Tick struct {
	At    int // the sample
	Label string
}

// axisLines is what ticks and their labels take.
const axisLines = 2

// Render returns Height lines of Width cells.
func (p Plot) Render(series []Series) []string {
	lines := make([]string, max(p.Height, 0))
	w, h := p.canvas()
	if w <= 0 || h <= 0 {
		for y := range lines {
			lines[y] = string(repeat(nil, " ", p.Width))
		}
		return lines
	}
	cells := p.draw(series, w, h)
	labels, ends := p.labels(h), p.ends(h)
	for y := range h {
		lines[y] = string(p.appendEnd(appendCells(p.scaleAt(labels[y]), cells[y*w:(y+1)*w]), ends[y]))
	}
	if h < p.Height {
		rule, times := p.axis(samplesOf(series), w)
		lines[h], lines[h+1] = string(repeat(rule, " ", p.Right)), string(repeat(times, " ", p.Right))
	}
	return lines
}

// canvas returns the size of the part that the lines are drawn on.
func (p Plot) canvas() (w, h int) {
	w, h = p.Width-p.Gutter-1-p.Right, p.Height
	if len(p.Ticks) > 0 {
		h -= axisLines
	}
	return w, h
}

func samplesOf(series []Series) int {
	n := 0
	for _, s := range series {
		n = max(n, len(s.Values))
	}
	return n
}

// column returns the cell of the canvas that a sample of n is drawn in.
func (p Plot) column(sample, n int) int {
	w, _ := p.canvas()
	return min(max(sample, 0)*w/max(n, 1), w-1)
}

// SampleAt returns which of n samples is drawn in column x of the plot, -1 for
// none.
func (p Plot) SampleAt(x, n int) int {
	w, _ := p.canvas()
	if x -= p.Gutter + 1; x < 0 || x >= w || n == 0 {
		return -1
	}
	return min((x*n+w-1)/w, n-1)
}
