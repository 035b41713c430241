package chart

import "math"

// Gauge is a horizontal bar that shows a fraction.
type Gauge struct {
	// Width is the width of the bar in cells.
	Width int
	// Style and EmptyStyle are the escape sequences for the filled and the empty part of the bar;
	// "" means no style.
	Style, EmptyStyle string
	// Set is the character set. Braille is drawn like Blocks.
	Set CharSet
}

// Render returns the bar for a fraction. The bar is empty for 0 and full for 1.
func (g Gauge) Render(fraction float64) string { return string(g.Append(nil, fraction)) }

// Append appends the bar for a fraction to dst. For NaN, the bar is blank. A fraction above 0 never
// looks empty, and a fraction below 1 never looks full. For a fraction above 1, the bar ends in a
// mark.
func (g Gauge) Append(dst []byte, fraction float64) []byte {
	if g.Width <= 0 {
		return dst
	}
	if math.IsNaN(fraction) {
		return appendRepeated(dst, " ", g.Width)
	}
	partials, full, rest, overflowMark := []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}, "█", "·", "»"
	if g.Set == ASCII {
		partials, full, rest, overflowMark = []string{"", "-", "="}, "#", ".", ">"
	}
	parts := len(partials)
	n := filledSteps(fraction, g.Width*parts)
	cells, part := n/parts, n%parts
	dst = appendStyled(dst, g.Style, func(dst []byte) []byte {
		if fraction > 1 {
			return append(appendRepeated(dst, full, cells-1), overflowMark...)
		}
		return append(appendRepeated(dst, full, cells), partials[part]...)
	})
	if part > 0 {
		cells++
	}
	if cells == g.Width {
		return dst
	}
	return appendStyled(dst, g.EmptyStyle, func(dst []byte) []byte {
		return appendRepeated(dst, rest, g.Width-cells)
	})
}

// filledSteps returns the number of filled steps, out of n, for a fraction.
func filledSteps(fraction float64, n int) int {
	switch {
	case fraction <= 0:
		return 0
	case fraction >= 1:
		return n
	}
	return min(max(int(math.Round(fraction*float64(n))), 1), max(n-1, 1))
}
