package chart

import (
	"iter"
	"math"
)

// Scale is a scale whose labels are round: they stand Step apart from Min on, up to Max,
// which is as near above the values as a quarter of a step.
type Scale struct{ Min, Max, Step float64 }

// Labels are the values that the scale names, ascending.
func (s Scale) Labels() iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for i := range int(s.steps()) + 1 {
			if !yield(s.Min + float64(i)*s.Step) {
				return
			}
		}
	}
}

// steps is how many whole steps the scale is high. What it is short of one by the way
// that numbers are kept is none.
func (s Scale) steps() float64 { return math.Floor((s.Max-s.Min)/s.Step + 1e-6) }

// Round returns the scale for values from low to high with no more labels than
// there is room for beside the lowest one. Steps are the distances that labels may
// have, ascending; where none is large enough, it is ten times as large.
func Round(low, high float64, labels int, steps ...float64) Scale {
	const far = 1e300 // beyond which there is nothing to be read
	low, high, labels = max(low, -far), min(high, far), max(labels, 1)
	if low < 0 && high > 0 { // 0 is always a label
		labels = max(labels, 2)
	}
	for unit := 1.0; ; unit *= 10 {
		for _, s := range steps {
			s *= unit
			out := Scale{Min: math.Floor(low/s) * s, Step: s}
			out.Max = max(math.Ceil(high/s*4)/(4/s), out.Min+s)
			if s > far || out.steps() <= float64(labels) {
				return out // a step that is lost beside the values is none
			}
		}
	}
}

// Even is the scale for values up to high, with as much above them as its labels need to stand
// equally far apart on h lines; the scale itself where that would be more than a third of it.
func (s Scale) Even(high float64, h int, ascii bool) Scale {
	per := perCell(Blocks)
	if ascii {
		per = perCell(ASCII)
	}
	heights, least := float64(h*per-1), max(high-s.Min, s.Step)
	lines := math.Floor(s.Step * heights / (least * float64(per)))
	if most := s.Step * heights / (lines * float64(per)); lines >= 1 && most <= (s.Max-s.Min)*4/3 {
		s.Max = s.Min + most
	}
	return s
}

// Steps returns distances of labels that are easy to read, from the least that
// tells values up to v apart on.
func Steps(v float64, whole bool) []float64 {
	const least = 1e-9 // of a value that is told from nothing
	unit := 1.0
	if !whole && known(v) && v > least {
		unit = math.Pow(10, math.Floor(math.Log10(v))-1)
	}
	return []float64{unit, 2 * unit, 5 * unit}
}
