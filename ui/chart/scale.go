package chart

import (
	"iter"
	"math"
)

// Scale is a scale with round labels, which are Step apart and begin at Min. Max is the highest
// value, rounded up to a quarter of a step.
type Scale struct{ Min, Max, Step float64 }

// LabelValues returns the values of the labels in ascending order.
func (s Scale) LabelValues() iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for i := range int(s.steps()) + 1 {
			if !yield(s.Min + float64(i)*s.Step) {
				return
			}
		}
	}
}

// steps returns the number of whole steps, with a tolerance for rounding errors.
func (s Scale) steps() float64 { return math.Floor((s.Max-s.Min)/s.Step + 1e-6) }

// RoundScale returns the scale for values from low to high with at most this many labels
// above the lowest one. steps lists the possible distances between labels in ascending
// order; their multiples by powers of ten are also possible.
func RoundScale(low, high float64, labels int, steps ...float64) Scale {
	const maxValue = 1e300 // limit of useful values
	low, high, labels = max(low, -maxValue), min(high, maxValue), max(labels, 1)
	if low < 0 && high > 0 { // 0 is always a label
		labels = max(labels, 2)
	}
	for unit := 1.0; ; unit *= 10 {
		for _, s := range steps {
			s *= unit
			out := Scale{Min: math.Floor(low/s) * s, Step: s}
			out.Max = max(math.Ceil(high/s*4)/(4/s), out.Min+s)
			if s > maxValue || out.steps() <= float64(labels) {
				return out // beyond maxValue, a step is lost in rounding
			}
		}
	}
}

// WithEvenLabels returns the scale extended above high so that its labels are equally far apart
// on h lines, or the scale itself if that would extend it by more than a third.
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

// LabelSteps returns distances between labels for [RoundScale]: 1, 2 and 5 times a power of ten that is about a
// tenth of v, or 1, 2 and 5 if whole is true.
func LabelSteps(v float64, whole bool) []float64 {
	const least = 1e-9 // least amount of a value that differs from zero
	unit := 1.0
	if !whole && isDrawable(v) && v > least {
		unit = math.Pow(10, math.Floor(math.Log10(v))-1)
	}
	return []float64{unit, 2 * unit, 5 * unit}
}
