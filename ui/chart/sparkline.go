package chart

import (
	"math"
	"slices"
)

// Sparkline is a trend on a single line. The newest value is at the right edge. Older values that
// do not fit are omitted.
type Sparkline struct {
	// Width is the width of the line in cells. A Braille cell shows two values, any other cell one.
	Width int
	// Min is the value drawn lowest, Max the value drawn highest. If Max is not above Min, the line
	// instead shows the range of the visible values, including zero.
	Min, Max float64
	// Set is the character set of the line.
	Set CharSet
	// Style is the escape sequence of the style of the line; "" means no style.
	Style string
	// BelowTargetStyle is the escape sequence for cells whose values are below Target; "" means that there
	// is no target.
	BelowTargetStyle string
	Target           float64
}

// Render returns the line for values. The last value is the newest.
func (s Sparkline) Render(values []float64) string { return string(s.Append(nil, values)) }

// Append appends the line for values to dst.
func (s Sparkline) Append(dst []byte, values []float64) []byte {
	if s.Width <= 0 {
		return dst
	}
	available := s.Width
	if s.Set == Braille {
		available *= 2
	}
	values = values[max(len(values)-available, 0):]
	sc := newValueRange(s.Min, s.Max, values)
	if s.BelowTargetStyle != "" {
		return s.appendColoredRuns(dst, values, available, sc)
	}
	return s.appendRun(dst, values, available, sc)
}

// appendRun appends values on the scale sc, in the style of the line. available is the number of
// values that the run has room for.
func (s Sparkline) appendRun(dst []byte, values []float64, available int, sc valueRange) []byte {
	return appendStyled(dst, s.Style, func(dst []byte) []byte {
		if s.Set == Braille {
			return appendBraille(dst, values, available, sc)
		}
		levels := levelChars(s.Set)
		dst = appendRepeated(dst, " ", available-len(values))
		for _, v := range values {
			if !isDrawable(v) {
				dst = append(dst, ' ')
				continue
			}
			dst = append(dst, levels[sc.step(v, len(levels))]...)
		}
		return dst
	})
}

// appendColoredRuns appends the line in runs of cells: those with only values below the target in
// BelowTargetStyle, and the others in Style. available is the number of values that the line has room for,
// and sc the scale of all runs.
func (s Sparkline) appendColoredRuns(dst []byte, values []float64, available int, sc valueRange) []byte {
	values = append(slices.Repeat([]float64{math.NaN()}, available-len(values)), values...)
	perCell := available / s.Width
	isBelow := func(at int) bool {
		return !slices.ContainsFunc(values[at:at+perCell], func(v float64) bool { return v >= s.Target })
	}
	run := s
	for from, to := 0, 0; from < available; from = to {
		missed := isBelow(from)
		to = from + perCell
		for to < available && isBelow(to) == missed {
			to += perCell
		}
		if run.Style = s.Style; missed {
			run.Style = s.BelowTargetStyle
		}
		dst = run.appendRun(dst, values[from:to], to-from, sc)
	}
	return dst
}

// levelChars returns the characters for eight heights, from the lowest to the highest.
func levelChars(s CharSet) [8]string {
	if s == ASCII {
		return [...]string{"_", ".", ":", "-", "=", "+", "*", "#"}
	}
	return [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
}

// appendBraille appends cells to dst that show two values each, as columns of up to four dots.
// available is the number of columns in all cells. A column without a value is blank.
func appendBraille(dst []byte, values []float64, available int, sc valueRange) []byte {
	var grid dots
	for x := 0; x < available; x += 2 {
		grid = 0
		for half := range 2 {
			i := x + half - (available - len(values))
			if i < 0 || !isDrawable(values[i]) {
				continue
			}
			for y := range sc.step(values[i], dotRows) + 1 {
				grid.set(half, dotRows-1-y)
			}
		}
		dst = grid.append(dst)
	}
	return dst
}
