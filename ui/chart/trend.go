package chart

import "math"

// Trend is a line chart of a few lines of text. All values are drawn: where
// several share a column, the column spans from the lowest to the highest of
// them, so no peak is averaged away.
type Trend struct {
	// Width and Height are in cells.
	Width, Height int
	// Min and Max are the values drawn lowest and highest; if Max is not above
	// Min, they are taken from the values and zero.
	Min, Max float64
	// Fill draws the area below the line as well.
	Fill bool
	// Set is the characters to draw with; Blocks is drawn as Braille.
	Set Set
	// Style is the escape sequence to draw in, "" for none.
	Style string
}

// Render returns Height lines of Width cells, the newest value at the right.
func (t Trend) Render(values []float64) []string {
	if t.Height <= 0 {
		return nil
	}
	lines := make([]string, t.Height)
	if t.Width <= 0 {
		return lines
	}
	cols, rows := t.Width*dotColumns, t.Height*dotRows
	if t.Set == ASCII {
		cols, rows = t.Width, t.Height
	}
	spans := t.spans(values, cols, rows)
	for y := range lines {
		lines[y] = string(styled(nil, t.Style, func(dst []byte) []byte {
			for x := range t.Width {
				if t.Set == ASCII {
					dst = append(dst, asciiDot(spans[x], t.Height-1-y))
				} else {
					dst = brailleDots(spans[x*dotColumns:], rows-1-y*dotRows).append(dst)
				}
			}
			return dst
		}))
	}
	return lines
}

// span is the dots of one column, counted from the bottom; none if high < low.
type span struct{ low, high int }

func (s span) has(y int) bool { return y >= s.low && y <= s.high }

func (t Trend) spans(values []float64, cols, rows int) []span {
	sc := newScale(t.Min, t.Max, values)
	out := make([]span, cols)
	for i := range out {
		out[i] = span{rows, -1}
	}
	for i, v := range values {
		if !known(v) {
			continue
		}
		x, y := column(i, len(values), cols), sc.step(v, rows)
		out[x] = span{min(out[x].low, y), max(out[x].high, y)}
	}
	join(out)
	if t.Fill {
		for i := range out {
			if out[i].high >= 0 {
				out[i].low = 0
			}
		}
	}
	return out
}

// column returns where value i of n is drawn: one per column from the right as
// long as there are columns, evenly shared after that.
func column(i, n, cols int) int {
	if n <= cols {
		return cols - n + i
	}
	return int(math.Floor(float64(i) * float64(cols) / float64(n)))
}

// join lengthens the columns until each touches the one before, so that a jump
// is a line. It does not bridge gaps.
func join(spans []span) {
	for i := 1; i < len(spans); i++ {
		a, b := spans[i-1], &spans[i]
		if a.high < 0 || b.high < 0 {
			continue
		}
		switch {
		case b.low > a.high+1:
			b.low = a.high + 1
		case b.high < a.low-1:
			b.high = a.low - 1
		}
	}
}

// brailleDots returns the cell whose top row is at height top, from two
// columns.
func brailleDots(cols []span, top int) dots {
	var d dots
	for x := range dotColumns {
		for y := range dotRows {
			if cols[x].has(top - y) {
				d.set(x, y)
			}
		}
	}
	return d
}

func asciiDot(s span, y int) byte {
	switch {
	case !s.has(y):
		return ' '
	case y == s.high:
		return '*'
	default:
		return '|'
	}
}
