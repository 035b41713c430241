package chart

import "math"

// BarGrid is a grid of values drawn as bars, optionally with the values below the bars. An
// unknown value leaves a gap, a known zero is a dot, or a 0 in ASCII.
type BarGrid struct {
	// Columns is the number of values per row, CellWidth the width of each in cells.
	Columns, CellWidth int
	// LabelWidth is the width of the row labels.
	LabelWidth int
	// BarHeight is the height of the highest bar in lines; 0 means 1.
	BarHeight int
	// Max is the value of the highest bar.
	Max float64
	// ShowValues writes the values below the bars, on one more line per row.
	ShowValues bool
	// Label returns a value as text.
	Label func(float64) string
	Set   CharSet
	// Style is the escape sequence of the bars, MaxStyle of the highest one, LabelStyle
	// of labels and values.
	Style, MaxStyle, LabelStyle string
}

// BarGridRow is one row of a [BarGrid].
type BarGridRow struct {
	Label  string // shorter than the gutter
	Values []float64
}

// Render returns the lines of the rows, as wide as the gutter and the columns.
func (h BarGrid) Render(rows []BarGridRow) []string {
	h.BarHeight = max(h.BarHeight, 1)
	var out []string
	for _, r := range rows {
		value := func(i int) float64 {
			if i < len(r.Values) {
				return r.Values[i]
			}
			return math.NaN()
		}
		for above := h.BarHeight - 1; above >= 0; above-- {
			label := ""
			if above == 0 {
				label = r.Label
			}
			bars := appendStyled(nil, h.LabelStyle, func(dst []byte) []byte { return appendPadded(dst, label, h.LabelWidth) })
			for i := range h.Columns {
				bars = h.appendBar(bars, value(i), above)
			}
			out = append(out, string(bars))
		}
		if !h.ShowValues {
			continue
		}
		values := appendRepeated(nil, " ", h.LabelWidth)
		for i := range h.Columns {
			values = appendStyled(values, h.LabelStyle, func(dst []byte) []byte { return h.appendValue(dst, value(i)) })
		}
		out = append(out, string(values))
	}
	return out
}

// appendBar appends one line of a value's bar; above is the number of lines below it.
func (h BarGrid) appendBar(dst []byte, v float64, above int) []byte {
	levels := levelsOf(h.Set)
	zero := "·"
	if h.Set == ASCII {
		zero = "0"
	}
	width := h.CellWidth
	if width > 2 {
		width-- // a gap between two bars
	}
	switch {
	case !isDrawable(v), v <= 0 && above > 0:
		return appendRepeated(dst, " ", h.CellWidth)
	case v <= 0:
		dst = appendStyled(dst, h.LabelStyle, func(dst []byte) []byte { return append(dst, zero...) })
		return appendRepeated(dst, " ", h.CellWidth-1)
	}
	style := h.Style
	if v >= h.Max {
		style = h.MaxStyle
	}
	steps := max(valueRange{0, h.Max}.step(v, h.BarHeight*len(levels)+1), 1) - above*len(levels)
	if steps <= 0 {
		return appendRepeated(dst, " ", h.CellWidth)
	}
	s := levels[min(steps, len(levels))-1]
	dst = appendStyled(dst, style, func(dst []byte) []byte { return appendRepeated(dst, s, width) })
	return appendRepeated(dst, " ", h.CellWidth-width)
}

// appendValue appends a value as text, CellWidth cells wide; a value that does not fit is left out.
func (h BarGrid) appendValue(dst []byte, v float64) []byte {
	text := ""
	if isDrawable(v) {
		text = h.Label(v)
	}
	if len(text) >= h.CellWidth { // a cut number would read as another one
		text = ""
	}
	return appendPadded(dst, text, h.CellWidth)
}

// appendPadded appends text and blanks up to a width; every character of text must be one cell
// wide.
func appendPadded(dst []byte, text string, width int) []byte {
	n := 0
	for range text {
		n++
	}
	return appendRepeated(append(dst, text...), " ", width-n)
}
