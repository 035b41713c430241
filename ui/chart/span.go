package chart

import "math"

// span is a range of rows in a column, counted from the bottom. It includes low and high. It is
// empty if high is below low.
type span struct{ low, high int }

func (s span) contains(y int) bool { return y >= s.low && y <= s.high }

// column returns the column, out of cols, of the value with index i out of n values. If there are
// enough columns, each value has its own column, and the last value is at the right. Otherwise the
// values are distributed evenly.
func column(i, n, cols int) int {
	if n <= cols {
		return cols - n + i
	}
	return int(math.Floor(float64(i) * float64(cols) / float64(n)))
}

// connectSpans extends the span of each column until it touches that of the previous column, so
// that the spans form a line. Spans are not extended across a column without a value.
func connectSpans(spans []span) {
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

// brailleDots returns the dots of a cell. cols holds the spans of its two columns. top is the row
// of its highest dots.
func brailleDots(cols []span, top int) dots {
	var d dots
	for x := range dotColumns {
		for y := range dotRows {
			if cols[x].contains(top - y) {
				d.set(x, y)
			}
		}
	}
	return d
}
