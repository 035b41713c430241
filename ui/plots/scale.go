package plots

import (
	"math"

	"wallboard/alert"
	"wallboard/ui/chart"
)

// scale finds the scale of the panel on h lines. Counts and times are drawn from 0
// on, shares from near the lowest: a fall from 82 to 79 % is worth seeing, but one of
// a point must not look like a mountain.
func (p *panel) scale(h int) {
	const leastShare = 0.2 // of shares from the top to the bottom
	low, top, whole := p.ends()
	labels := max((h-1)/3, 1)
	switch p.format {
	case alert.Percent:
		if top <= 1 {
			low = max(min(low, top-leastShare), 0)
			top = max(top, low+leastShare)
		}
		p.Scale = chart.Round(low, top, labels, 0.05, 0.10, 0.20, 0.25, 0.50)
	case alert.Duration:
		p.Scale = chart.Round(min(low, 0), max(top, 10), labels, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)
	default:
		p.Scale = chart.Round(min(low, 0), max(top, 2), labels, chart.Steps(top, whole)...)
	}
}

// ends returns the lowest and the highest of what the panel shows, and whether its
// values are whole numbers.
func (p *panel) ends() (low, top float64, whole bool) {
	p.target, whole = math.NaN(), true
	low, top = math.Inf(1), math.Inf(-1)
	note := func(v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, top = min(low, v), max(top, v)
			whole = whole && v == math.Trunc(v)
		}
	}
	for i := range p.lines {
		for _, v := range p.lines[i].trend.Samples {
			note(v)
		}
		for _, edge := range [][]float64{p.lines[i].usual.Low, p.lines[i].usual.High} {
			for _, v := range edge {
				note(v)
			}
		}
		if t, ok := p.lines[i].target.Get(); ok && math.IsNaN(p.target) {
			p.target = t
			note(t)
		}
	}
	if top < low { // nothing is known of it
		return 0, 0, true
	}
	return low, top, whole
}
