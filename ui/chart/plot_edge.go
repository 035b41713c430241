package chart

import (
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// scaleLabels returns the labels of the scale on h lines, from the top. A line without a label has
// "".
func (p Plot) scaleLabels(h int) []string {
	out := make([]string, h)
	if p.Label == nil {
		return out
	}
	if p.Step > 0 {
		n := 0
		for v := range p.LabelValues() {
			if n++; n > h+1 { // a chart of h lines cannot show so many labels
				break
			}
			out[h-1-p.lineOf(v, h)] = p.Label(v)
		}
		return out
	}
	if h%2 == 1 && h >= 5 {
		out[h/2] = p.Label(p.Min + (p.Max-p.Min)/2)
	}
	out[h-1] = p.Label(p.Min)
	out[0] = p.Label(p.Max)
	return out
}

// leftEdge returns the left edge of a line: the axis, after the label if it fits.
func (p Plot) leftEdge(label string) []byte {
	tick := p.glyphOrASCII("│", "|")
	if ansi.StringWidth(label) > p.ScaleWidth {
		label = ""
	}
	if label != "" {
		tick = p.glyphOrASCII("┤", "+")
	}
	return appendStyled(nil, p.AxisStyle, func(dst []byte) []byte {
		dst = appendRepeated(dst, " ", p.ScaleWidth-ansi.StringWidth(label))
		return append(append(dst, label...), tick...)
	})
}

// endLabels returns the labels at the right edge of h lines, from the top. A label is on the line
// of its value or, if another label is there, on an adjacent line.
func (p Plot) endLabels(h int) []EndLabel {
	out := make([]EndLabel, h)
	for _, e := range p.EndLabels {
		if !isDrawable(e.Value) || e.Value < p.Min || e.Value > p.Max || ansi.StringWidth(e.Text) >= p.EndLabelWidth {
			continue
		}
		y := h - 1 - p.lineOf(e.Value, h)
		for _, index := range [...]int{y, y + 1, y - 1} {
			if index >= 0 && index < h && out[index].Text == "" {
				out[index] = e
				break
			}
		}
	}
	return out
}

// appendEndLabel appends the right edge of a line with the label e to dst.
func (p Plot) appendEndLabel(dst []byte, e EndLabel) []byte {
	if p.EndLabelWidth <= 0 {
		return dst
	}
	if e.Text == "" {
		return appendRepeated(dst, " ", p.EndLabelWidth)
	}
	dst = appendStyled(append(dst, ' '), e.Style, func(dst []byte) []byte { return append(dst, e.Text...) })
	return appendRepeated(dst, " ", p.EndLabelWidth-1-ansi.StringWidth(e.Text))
}

// tickLines returns the two lines below a canvas of w cells and n samples: the axis with its ticks
// and marks, and the labels of the ticks.
func (p Plot) tickLines(n, w int) (rule, labels []byte) {
	line := make([]cell, w)
	for x := range line {
		line[x] = cell{glyph: p.glyphOrASCII("─", "-"), style: p.AxisStyle}
	}
	text := make([]byte, 0, w)
	for _, t := range p.Ticks {
		x := p.column(t.Sample, n)
		lw := ansi.StringWidth(t.Label)
		from := min(max(x-lw/2, 0), w-lw)
		if from < 0 || from < len(text)+min(len(text), 1) || len(t.Label) != lw {
			continue // the label does not fit, or is not plain text such as a time of day
		}
		line[x].glyph = p.glyphOrASCII("┬", "+")
		text = append(appendRepeated(text, " ", from-len(text)), t.Label...)
	}
	drawn := make(map[int]string, len(p.Marks)) // glyphs of the marks, by column
	for _, m := range slices.Backward(p.Marks) {
		if m.Sample < 0 || m.Sample >= n {
			continue
		}
		if x, ok := NearestFree(p.column(m.Sample, n), w, func(x int) bool { return drawn[x] == "" || drawn[x] == m.Glyph }); ok {
			drawn[x], line[x] = m.Glyph, cell{glyph: m.Glyph, style: m.Style}
		}
	}
	begin := func(corner string) []byte {
		return appendStyled(nil, p.AxisStyle, func(dst []byte) []byte { return append(appendRepeated(dst, " ", p.ScaleWidth), corner...) })
	}
	labels = appendStyled(begin(" "), p.AxisStyle, func(dst []byte) []byte { return append(dst, text...) })
	return appendCells(begin(p.glyphOrASCII("└", "+")), line), appendRepeated(labels, " ", w-len(text))
}

// NearestFree returns the cell nearest to x for which isFree returns true, so that a sign does not
// hide another sign. It considers only cells between 0 and w-1 that are at most two cells away from
// x. ok is false if there is no such cell.
func NearestFree(x, w int, isFree func(x int) bool) (free int, ok bool) {
	for _, off := range []int{0, 1, -1, 2, -2} {
		if at := x + off; at >= 0 && at < w && isFree(at) {
			return at, true
		}
	}
	return 0, false
}
