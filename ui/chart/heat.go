package chart

import "math"

// Heat is a grid of values: the higher the bar in a cell, the more. Where there
// is room the values stand below their bars. A value that is not known leaves a
// gap, a known zero is a dot, or in ASCII a 0.
type Heat struct {
	// Columns is how many values a row has, Cell how many cells each gets.
	Columns, Cell int
	// Gutter is how many cells the labels of the rows have.
	Gutter int
	// Max is what the highest bar stands for.
	Max float64
	// Values writes the values below the bars: a row then has two lines.
	Values bool
	Label  func(float64) string
	Set    Set
	// Style is the escape sequence of the bars, MaxStyle that of the highest,
	// LabelStyle that of the labels and values.
	Style, MaxStyle, LabelStyle string
}

// HeatRow is one row of a [Heat].
type HeatRow struct {
	Label  string // shorter than the gutter
	Values []float64
}

// Render returns one line for each row, or two, as wide as the gutter and the
// columns.
func (h Heat) Render(rows []HeatRow) []string {
	var out []string
	for _, r := range rows {
		bars := styled(nil, h.LabelStyle, func(dst []byte) []byte { return left(dst, r.Label, h.Gutter) })
		values := repeat(nil, " ", h.Gutter)
		for i := range h.Columns {
			v := math.NaN()
			if i < len(r.Values) {
				v = r.Values[i]
			}
			bars = h.bar(bars, v)
			values = styled(values, h.LabelStyle, func(dst []byte) []byte { return h.value(dst, v) })
		}
		if out = append(out, string(bars)); h.Values {
			out = append(out, string(values))
		}
	}
	return out
}

// bar appends the bar of a value.
func (h Heat) bar(dst []byte, v float64) []byte {
	levels := levelsOf(h.Set)
	zero := "·"
	if h.Set == ASCII {
		zero = "0"
	}
	width := h.Cell
	if width > 2 {
		width-- // a gap between two
	}
	switch {
	case !known(v):
		return repeat(dst, " ", h.Cell)
	case v <= 0:
		dst = styled(dst, h.LabelStyle, func(dst []byte) []byte { return append(dst, zero...) })
		return repeat(dst, " ", h.Cell-1)
	}
	style := h.Style
	if v >= h.Max {
		style = h.MaxStyle
	}
	s := levels[max(scale{0, h.Max}.step(v, len(levels)+1), 1)-1]
	dst = styled(dst, style, func(dst []byte) []byte { return repeat(dst, s, width) })
	return repeat(dst, " ", h.Cell-width)
}

// value appends a value as text, as wide as its cell.
func (h Heat) value(dst []byte, v float64) []byte {
	text := ""
	if known(v) {
		text = h.Label(v)
	}
	if len(text) >= h.Cell { // half a number would be another one
		text = ""
	}
	return left(dst, text, h.Cell)
}

// left appends text and blanks up to a width; text is of single cells.
func left(dst []byte, text string, width int) []byte {
	n := 0
	for range text {
		n++
	}
	return repeat(append(dst, text...), " ", width-n)
}
