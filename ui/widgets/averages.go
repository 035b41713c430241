package widgets

import (
	"math"
	"time"

	"wallboard/internal/alert"
)

// averagingIntervals returns the intervals over which the samples of a line can be averaged if
// there are more than fit. Without averaging, samples of ten seconds would look like hatching.
func averagingIntervals() []time.Duration {
	const day = 24 * time.Hour
	return []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, day}
}

// averageSamples returns the samples of a line or, if there are too many for the given number of cells,
// averages of them. The averaged intervals are aligned to the clock, so that the past part of a
// line does not change.
func averageSamples(t *alert.Trend, cells int) []float64 {
	const dots = 2 // samples that a cell can show side by side
	n := len(t.Samples)
	if n <= dots*cells || t.Step <= 0 {
		return t.Samples
	}
	block := t.Step
	for _, block = range averagingIntervals() {
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

// setDrawnSamples sets the values that the panel draws in w cells. The first line, an area, gets
// all samples, so that no peak is lost. The other lines get averages.
func (p *panel) setDrawnSamples(w int) {
	const labels = 14 // cells for the labels on the left and right
	for i := range p.lines {
		l := &p.lines[i]
		if l.drawnSamples = l.trend.Samples; i > 0 {
			l.drawnSamples = averageSamples(&l.trend, w-labels)
		}
	}
}
