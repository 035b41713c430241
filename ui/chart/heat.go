package chart

import "math"

// BarGrid is a grid of values drawn as bars, with the values as text below them if requested. An
// unknown value leaves a gap. Zero is drawn as a dot, or as 0 in ASCII.
type BarGrid struct {
	// Columns is the number of values per row. CellWidth is the width of each value in cells.
	Columns, CellWidth int
	// LabelWidth is the width of the row labels, in cells.
	LabelWidth int
	// BarHeight is the maximum height of a bar in lines; 0 means 1.
	BarHeight int
	// Max is the value of a bar with the maximum height.
	Max float64
	// ShowValues adds a line to each row that shows the values as text below the bars.
	ShowValues bool
	// Label formats a value for ShowValues.
	Label func(float64) string
	Set   CharSet
	// Style, MaxStyle and LabelStyle are the escape sequences of bars, of bars that reach Max, and
	// of labels and values.
	Style, MaxStyle, LabelStyle string
}

// BarGridRow is a row of a [BarGrid].
type BarGridRow struct {
	Label  string // not wider than LabelWidth
	Values []float64
}

// Render returns the lines of all rows. Each line consists of LabelWidth cells and then CellWidth
// cells per column.
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

// appendBar appends one line of the bar for v to dst, CellWidth cells wide. above is the number of
// lines of the bar below this line.
func (h BarGrid) appendBar(dst []byte, v float64, above int) []byte {
	levels := levelChars(h.Set)
	zero := "·"
	if h.Set == ASCII {
		zero = "0"
	}
	width := h.CellWidth
	if width > 2 {
		width-- // leaves a gap between bars
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

// appendValue appends v as text to dst, CellWidth cells wide. If the text does not fit, it appends
// spaces.
func (h BarGrid) appendValue(dst []byte, v float64) []byte {
	text := ""
	if isDrawable(v) {
		text = h.Label(v)
	}
	if len(text) >= h.CellWidth { // a truncated number would look like another number
		text = ""
	}
	return appendPadded(dst, text, h.CellWidth)
}

// appendPadded appends text to dst, padded with spaces to the given width. Every character of text
// must be one cell wide.
func appendPadded(dst []byte, text string, width int) []byte {
	n := 0
	for range text {
		n++
	}
	return appendRepeated(append(dst, text...), " ", width-n)
}
