package past

import "math"

// Volume is how a day's contacts are to what is usual.
type Volume uint8

// The volumes.
const (
	NoCompare Volume = iota // nothing is known to compare with
	AsUsual                 // between the quartiles, or hardly outside
	More                    // above the upper quartile
	Fewer                   // below the lower quartile
)

// noteworthy is the least difference to the median, as a share of it, that is
// one: four days may be very much alike.
const noteworthy = 0.05

// String returns the volume in words.
func (v Volume) String() string {
	return [...]string{"nothing to compare with", "as usual", "more than usual", "fewer than usual"}[v]
}

// Known reports whether anything is known of the day.
func (d Day) Known() bool {
	for _, h := range d.Hours {
		if h.Known {
			return true
		}
	}
	return false
}

// Volume returns how the day is to what is usual until [Day.At].
func (c Comparison) Volume() Volume {
	total := float64(c.Day.Total())
	switch {
	case c.SoFar.Days == 0 || !c.Day.Known():
		return NoCompare
	case math.Abs(total-c.SoFar.Median) < noteworthy*c.SoFar.Median:
		return AsUsual
	case total > c.SoFar.High:
		return More
	case total < c.SoFar.Low:
		return Fewer
	}
	return AsUsual
}

// Change returns how much more than the median the day has until [Day.At], as a
// share of it: 0.18 is 18 % more. ok is false where nothing is usual, or nothing
// is known.
func (c Comparison) Change() (share float64, ok bool) {
	if c.Volume() == NoCompare || c.SoFar.Median == 0 {
		return 0, false
	}
	return float64(c.Day.Total())/c.SoFar.Median - 1, true
}
