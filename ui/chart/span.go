package chart

import "math"

// span is the range of dots of one column, counted from the bottom; empty if high <
// low.
type span struct{ low, high int }

func (s span) contains(y int) bool { return y >= s.low && y <= s.high }

// column returns the column of value i of n: one value per column from the right if
// there are enough columns, otherwise evenly distributed.
func column(i, n, cols int) int {
	if n <= cols {
		return cols - n + i
	}
	return int(math.Floor(float64(i) * float64(cols) / float64(n)))
}

// connect extends the columns until each touches the one before, so that a jump is a line. It
// does not bridge gaps.
func connect(spans []span) {
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

// brailleDots returns the cell whose top row is at height top, from two columns.
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
