package widgets

import (
	"math"

	"wallboard/internal/alert"
	"wallboard/ui/chart"
)

// setScale sets the scale of the panel for a chart that is h lines high. Scales of counts and times
// start at 0. A scale of shares starts near the lowest value: a fall from 82 to 79 % is visible,
// but a change of one percentage point does not look large.
func (p *panel) setScale(h int, ascii bool) {
	low, top, whole := p.valueRange()
	labels := max((h-1)/3, 1)
	switch p.format {
	case alert.Percent:
		if top <= 1 {
			low, top = widenRange(low, top, minShareRange(top))
			low, top = low-max(top-1, 0), min(top, 1)
		}
		labels = max(labels, min((h-1)/2, 2)) // with a single label, the scale would begin at 0
		p.Scale = chart.RoundScale(max(low, 0), top, labels, 0.01, 0.02, 0.05, 0.10, 0.20, 0.25, 0.50)
	case alert.Duration:
		top = max(top, minTimeTop)
		p.Scale = chart.RoundScale(min(low, 0), top, labels, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)
	default:
		top = max(top, minCountTop)
		p.Scale = chart.RoundScale(min(low, 0), top, labels, chart.LabelSteps(top, whole)...)
	}
	if even := p.WithEvenLabels(top, h, ascii); p.format != alert.Percent || top > 1 || even.Max < 1+even.Step { // a scale of shares does not go beyond 100 %
		p.Scale = even
	}
}

// minCountTop is the minimum top of a scale of counts. It prevents a single waiting caller from
// filling the chart. minTimeTop is the minimum top of a scale of times, in seconds.
const (
	minCountTop = 5
	minTimeTop  = 10
)

// minShareRange returns the minimum range of a scale of shares with the highest value v. It is a
// quarter of v, but at least 2 percentage points, so that changes of small shares are also visible.
func minShareRange(v float64) float64 { return max(v/4, 0.02) }

// widenRange returns a range that contains low and high and is at least minimum wide. It does not extend
// below 0.
func widenRange(low, high, minimum float64) (float64, float64) {
	if d := minimum - (high - low); d > 0 {
		low, high = low-d/2, high+d/2
	}
	return max(low, 0), high - min(low, 0)
}

// FittedRange returns the range of values for a small chart without a scale. For shares and times,
// it begins near the lowest value, because the part below would be empty.
func FittedRange(f alert.Format, values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	const margin = 0.2 // share of the range that is added below the lowest value, so that the value does not look like zero
	switch {
	case high < low:
		return 0, 0
	case f == alert.Percent:
		low, high = widenRange(low-margin*(high-low), high, minShareRange(high))
		return low, max(min(high, 1), low)
	case f == alert.Duration:
		return widenRange(low-margin*(high-low), high, max(high/4, minTimeTop))
	}
	return min(low, 0), max(high, minCountTop)
}

// valueRange returns the lowest and the highest value of the panel. whole is true if all values are
// whole numbers. valueRange also sets the target of the panel.
func (p *panel) valueRange() (low, top float64, whole bool) {
	p.target, whole = math.NaN(), true
	low, top = math.Inf(1), math.Inf(-1)
	note := func(v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, top = min(low, v), max(top, v)
			whole = whole && v == math.Trunc(v)
		}
	}
	for i := range p.lines {
		for _, v := range p.lines[i].drawnSamples {
			note(v)
		}
		for _, edge := range [][]float64{p.lines[i].baseline.Low, p.lines[i].baseline.High} {
			for _, v := range edge {
				note(v)
			}
		}
		if t, ok := p.lines[i].target.Get(); ok && math.IsNaN(p.target) {
			p.target = t
			note(t)
		}
	}
	if top < low { // no value is known
		return 0, 0, true
	}
	return low, top, whole
}
