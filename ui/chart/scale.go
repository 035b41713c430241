package chart

import (
	"iter"
	"math"
)

// Scale is a scale with round labels. The first label is at Min, and the labels are Step apart. Max
// is the end of the scale, at or above the highest value.
type Scale struct{ Min, Max, Step float64 }

// LabelValues returns an iterator over the values of the labels, in ascending order.
func (s Scale) LabelValues() iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for i := range int(s.steps()) + 1 {
			if !yield(s.Min + float64(i)*s.Step) {
				return
			}
		}
	}
}

// steps returns the number of whole steps from Min to Max. It tolerates rounding errors.
func (s Scale) steps() float64 { return math.Floor((s.Max-s.Min)/s.Step + 1e-6) }

// RoundScale returns a scale for values from low to high. It has at most the given number of labels
// above its lowest label. steps are the possible distances between labels, in ascending order; each
// of them may be multiplied by a power of ten.
func RoundScale(low, high float64, labels int, steps ...float64) Scale {
	const maxValue = 1e300 // no useful value is higher
	low, high, labels = max(low, -maxValue), min(high, maxValue), max(labels, 1)
	if low < 0 && high > 0 { // one of the labels must be 0
		labels = max(labels, 2)
	}
	for unit := 1.0; ; unit *= 10 {
		for _, s := range steps {
			s *= unit
			out := Scale{Min: math.Floor(low/s) * s, Step: s}
			out.Max = max(math.Ceil(high/s*4)/(4/s), out.Min+s)
			if s > maxValue || out.steps() <= float64(labels) {
				return out // beyond maxValue, adding a step has no effect because of rounding
			}
		}
	}
}

// WithEvenLabels returns the scale with another Max, at which all labels of a chart of h lines are
// the same number of lines apart. high is the highest value of the chart. If Max would have to grow
// by more than a third, the scale is returned unchanged.
func (s Scale) WithEvenLabels(high float64, h int, ascii bool) Scale {
	per := heightsPerCell(Blocks)
	if ascii {
		per = heightsPerCell(ASCII)
	}
	heights, minimum := float64(h*per-1), max(high-s.Min, s.Step)
	lines := math.Floor(s.Step * heights / (minimum * float64(per)))
	if maximum := s.Step * heights / (lines * float64(per)); lines >= 1 && maximum <= (s.Max-s.Min)*4/3 {
		s.Max = s.Min + maximum
	}
	return s
}

// LabelSteps returns possible distances between labels, for [RoundScale] and values up to v. They
// are 1, 2 and 5 times a power of ten, about a tenth of v. If whole is true, they are 1, 2 and 5.
func LabelSteps(v float64, whole bool) []float64 {
	const least = 1e-9 // a smaller v counts as zero
	unit := 1.0
	if !whole && isDrawable(v) && v > least {
		unit = math.Pow(10, math.Floor(math.Log10(v))-1)
	}
	return []float64{unit, 2 * unit, 5 * unit}
}
