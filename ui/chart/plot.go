package chart

import (
	"math"

	"github.com/charmbracelet/x/ansi"
)

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
	// Min and Max are the lower and the upper end of the scale.
	Min, Max float64
	// Label returns a value of the scale as text.
	Label func(float64) string
	// Ticks are below the chart; those that have no room are left out. Without
	// any, the chart takes the two lines as well.
	Ticks []Tick
	// Target is a line to measure by, NaN for none.
	Target float64
	// Cursor is the sample that is marked, -1 for none.
	Cursor int
	Set    Set
	// Axis, TargetStyle and CursorStyle are escape sequences, "" for none.
	Axis, TargetStyle, CursorStyle string
}

// Series is one line of a [Plot].
type Series struct {
	Values []float64 // NaN is a gap
	Glyph  string    // one cell wide: it marks the line here and there
	Style  string
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
	for y := range h {
		lines[y] = string(appendCells(p.scaleAt(y, h), cells[y*w:(y+1)*w]))
	}
	if h < p.Height {
		lines[h], lines[h+1] = p.axis(samplesOf(series), w)
	}
	return lines
}

// canvas returns the size of the part that the lines are drawn on.
func (p Plot) canvas() (w, h int) {
	w, h = p.Width-p.Gutter-1, p.Height
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

// cell is a character of the canvas.
type cell struct {
	dots  dots
	glyph string // in place of the dots
	style string
}

func (p Plot) draw(series []Series, w, h int) []cell {
	cells := make([]cell, w*h)
	n := samplesOf(series)
	p.drawTarget(cells, w, h)
	if p.Cursor >= 0 && n > 0 {
		x := p.column(p.Cursor, n)
		for y := range h {
			cells[y*w+x] = cell{glyph: p.pick("│", "|"), style: p.CursorStyle}
		}
	}
	for i := len(series) - 1; i >= 0; i-- { // the first one is on top
		p.drawSeries(cells, w, h, &series[i])
	}
	if p.Set == ASCII || len(series) < 2 {
		return cells
	}
	for i := range series {
		p.mark(cells, w, h, &series[i], i, len(series))
	}
	return cells
}

func (p Plot) drawTarget(cells []cell, w, h int) {
	if !known(p.Target) || p.Target < p.Min || p.Target > p.Max {
		return
	}
	y := h - 1 - scale{p.Min, p.Max}.step(p.Target, h)
	for x := range w {
		cells[y*w+x] = cell{glyph: p.pick("╌", "-"), style: p.TargetStyle}
	}
}

// drawSeries draws a line over what is there.
func (p Plot) drawSeries(cells []cell, w, h int, s *Series) {
	if p.Set == ASCII {
		for x, col := range p.spans(s.Values, w, h) {
			for y := col.low; y <= col.high; y++ {
				cells[(h-1-y)*w+x] = cell{glyph: s.Glyph, style: s.Style}
			}
		}
		return
	}
	spans := p.spans(s.Values, w*dotColumns, h*dotRows)
	for y := range h {
		for x := range w {
			d := brailleDots(spans[x*dotColumns:], h*dotRows-1-y*dotRows)
			if d == 0 {
				continue
			}
			c := &cells[y*w+x]
			*c = cell{dots: c.dots | d, style: s.Style}
		}
	}
}

// spans returns the dots of each column.
func (p Plot) spans(values []float64, cols, rows int) []span {
	out := make([]span, cols)
	for x := range out {
		out[x] = span{rows, -1}
	}
	sc, n := scale{p.Min, p.Max}, len(values)
	for i, v := range values {
		if !known(v) {
			continue
		}
		y := sc.step(v, rows)
		from := i * cols / n
		for x := from; x < max((i+1)*cols/n, from+1) && x < cols; x++ {
			out[x] = span{min(out[x].low, y), max(out[x].high, y)}
		}
	}
	join(out)
	return out
}

// markEvery is how many cells lie between two glyphs of all series together.
const markEvery = 8

// mark puts a series' glyph on its line here and there, at other places than
// those of the others.
func (p Plot) mark(cells []cell, w, h int, s *Series, at, of int) {
	spans := p.spans(s.Values, w, h)
	for x := w - 1 - at*markEvery; x >= 0; x -= of * markEvery {
		if col := spans[x]; col.high >= 0 {
			cells[(h-1-col.high)*w+x] = cell{glyph: s.Glyph, style: s.Style}
		}
	}
}

func (p Plot) pick(glyph, ascii string) string {
	if p.Set == ASCII {
		return ascii
	}
	return glyph
}

// appendCells appends a line of the canvas, in as few pieces as there are
// styles.
func appendCells(dst []byte, cells []cell) []byte {
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].style == cells[0].style {
			n++
		}
		run := cells[:n]
		dst = styled(dst, run[0].style, func(dst []byte) []byte {
			for i := range run {
				if g := run[i].glyph; g != "" {
					dst = append(dst, g...)
				} else {
					dst = run[i].dots.append(dst)
				}
			}
			return dst
		})
		cells = cells[n:]
	}
	return dst
}

// scaleAt returns what stands before line y of h: the ends of the scale, and its
// middle where a line lies on it.
func (p Plot) scaleAt(y, h int) []byte {
	label := ""
	switch {
	case p.Label == nil:
	case y == 0:
		label = p.Label(p.Max)
	case y == h-1:
		label = p.Label(p.Min)
	case h%2 == 1 && h >= 5 && y == h/2:
		label = p.Label(p.Min + (p.Max-p.Min)/2)
	}
	tick := p.pick("│", "|")
	if ansi.StringWidth(label) > p.Gutter {
		label = ""
	}
	if label != "" {
		tick = p.pick("┤", "+")
	}
	return styled(nil, p.Axis, func(dst []byte) []byte {
		dst = repeat(dst, " ", p.Gutter-ansi.StringWidth(label))
		return append(append(dst, label...), tick...)
	})
}

// axis returns the two lines below the canvas.
func (p Plot) axis(n, w int) (rule, labels string) {
	line := make([]string, w)
	for x := range line {
		line[x] = p.pick("─", "-")
	}
	text := make([]byte, 0, w)
	for _, t := range p.Ticks {
		x := p.column(t.At, n)
		lw := ansi.StringWidth(t.Label)
		from := min(max(x-lw/2, 0), w-lw)
		if from < 0 || from < len(text)+min(len(text), 1) || len(t.Label) != lw {
			continue // no room, or not the plain text that clock times are
		}
		line[x] = p.pick("┬", "+")
		text = append(repeat(text, " ", from-len(text)), t.Label...)
	}
	draw := func(begin string, rest ...string) string {
		return string(styled(nil, p.Axis, func(dst []byte) []byte {
			dst = append(repeat(dst, " ", p.Gutter), begin...)
			for _, r := range rest {
				dst = append(dst, r...)
			}
			return dst
		}))
	}
	return draw(p.pick("└", "+"), line...), draw(" ", string(repeat(text, " ", w-len(text))))
}

// NiceMax returns an upper end of a scale for values up to v that is easy to
// read, and to halve: 2, 4, 6, 8 or 10 times a power of ten.
func NiceMax(v float64) float64 {
	if !known(v) || v <= 2 {
		return 2
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 4, 6, 8} {
		if v <= n*unit {
			return n * unit
		}
	}
	return 10 * unit
}
