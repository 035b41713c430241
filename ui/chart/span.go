package chart

import "math"

// span is a range of dots in one column, counted from the bottom; it is empty if high < low.
type span struct{ low, high int }

func (s span) contains(y int) bool { return y >= s.low && y <= s.high }

// column returns the column of value i of n. If there are enough columns, each value has its own,
// and the last value is at the right; otherwise the values are evenly distributed.
func column(i, n, cols int) int {
	if n <= cols {
		return cols - n + i
	}
	return int(math.Floor(float64(i) * float64(cols) / float64(n)))
}

// connectSpans extends each column until it touches the previous one, so that a jump is drawn as a line.
// It does not bridge gaps.
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

// brailleDots returns the dots of a cell from its two columns; top is the height of its top row.
func brailleDots(cols []span, top int) dots {
	var d dots
	for x := range dotColumns {
		for y := range dotRows {
			if cols[x].contains(top - y) {
				d.raise(x, y)
			}
		}
	}
	return d
}
