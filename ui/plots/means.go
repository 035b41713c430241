package plots

import (
	"math"
	"time"

	"wallboard/alert"
)

// blocks are the times that a line has means of where it has more samples than there is room
// for: drawn as they are, samples of ten seconds make a hatching of it.
func blocks() []time.Duration {
	const day = 24 * time.Hour
	return []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, day}
}

// means are the samples of a line in so many cells, or the means of them. The blocks are
// whole ones of the clock, so that a line that is known does not change any more.
func means(t *alert.Trend, cells int) []float64 {
	const dots = 2 // of a cell
	n := len(t.Samples)
	if n <= dots*cells || t.Step <= 0 {
		return t.Samples
	}
	block := t.Step
	for _, block = range blocks() {
		if int(block/t.Step)*cells >= n {
			break
		}
	}
	out := make([]float64, n)
	at := func(i int) time.Time { return t.End.Add(-time.Duration(n-1-i) * t.Step).Truncate(block) }
	for from := 0; from < n; {
		to, sum, known := from, 0.0, 0
		for ; to < n && at(to).Equal(at(from)); to++ {
			if v := t.Samples[to]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				sum, known = sum+v, known+1
			}
		}
		for i := from; i < to; i++ {
			if out[i] = t.Samples[i]; !math.IsNaN(out[i]) && !math.IsInf(out[i], 0) {
				out[i] = sum / float64(known)
			}
		}
		from = to
	}
	return out
}

// smooth finds what the panel draws in w cells: the area as it is, so that no peak is lost, and
// means of the lines before it.
func (p *panel) smooth(w int) {
	const labels = 14 // at the left and the right
	for i := range p.lines {
		l := &p.lines[i]
		if l.drawn = l.trend.Samples; i > 0 {
			l.drawn = means(&l.trend, w-labels)
		}
	}
}
