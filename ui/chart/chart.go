// Package chart draws charts with characters: sparklines, gauges, stacked bars, trend charts and
// large digits.
//
// All functions are pure. Lines have exactly the requested width, and styles are escape sequences.
// An unknown value is NaN. Except in stacked bars, it leaves a gap: it is never drawn as zero, and a
// known zero never looks like a gap.
package chart

import "math"

// CharSet is a set of characters for drawing charts.
type CharSet uint8

// Values of [CharSet].
const (
	Blocks  CharSet = iota // blocks in eighths, which every UTF-8 terminal supports
	Braille                // two values per cell; finer and lighter than blocks
	ASCII                  // for terminals that show only ASCII characters
)

// resetSequence is the escape sequence that ends a styled piece of a line.
const resetSequence = "\x1b[m"

// isDrawable reports whether v is neither NaN nor infinite.
func isDrawable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// appendStyled appends the output of draw to dst, between the escape sequence style and a reset. If
// style is empty, it appends only the output.
func appendStyled(dst []byte, style string, draw func([]byte) []byte) []byte {
	if style == "" {
		return draw(dst)
	}
	return append(draw(append(dst, style...)), resetSequence...)
}

// appendRepeated appends s n times.
func appendRepeated(dst []byte, s string, n int) []byte {
	for range n {
		dst = append(dst, s...)
	}
	return dst
}

// valueRange is a range of values that are mapped to steps, such as heights in cells.
type valueRange struct{ low, high float64 }

// newValueRange returns the range from low to high. If high is not above low, it returns the range
// of the values, including zero so that small variations do not look large.
func newValueRange(low, high float64, values []float64) valueRange {
	if isDrawable(low) && isDrawable(high) && high > low {
		return valueRange{low, high}
	}
	s := valueRange{}
	for _, v := range values {
		if isDrawable(v) {
			s.low, s.high = min(s.low, v), max(s.high, v)
		}
	}
	return s
}

// step returns the step of v, from 0 to n-1. Only values at or below the low end have the step 0,
// so that small values differ from zero. All other values are rounded to the nearest step.
func (s valueRange) step(v float64, n int) int {
	if s.high <= s.low || v <= s.low || n < 2 {
		return 0
	}
	// The values are halved first, so that the difference between two huge values is finite.
	part := (v/2 - s.low/2) / (s.high/2 - s.low/2)
	if part >= 1 {
		return n - 1
	}
	return max(int(math.Round(part*float64(n-1))), 1)
}
