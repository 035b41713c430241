package contact

import "math"

// Volume compares the number of contacts of a day with the typical number.
type Volume uint8

// The volumes.
const (
	NotComparable Volume = iota // nothing to compare with
	AsUsual                     // between the quartiles
	More                        // above the upper quartile
	Fewer                       // below the lower quartile
	SlightlyMore                // above the upper quartile, but close to the median
	SlightlyFewer               // below the lower quartile, but close to the median
)

// minChange is the smallest difference from the median that is not slight, as a share of the
// median. On similar days the quartiles are very close to the median.
const minChange = 0.05

// String returns the volume in words.
func (v Volume) String() string {
	return [...]string{"nothing to compare with", "as usual", "more than usual", "fewer than usual", "slightly more than usual", "slightly fewer than usual"}[v]
}

// Known reports whether any hour of the day is known.
func (d Day) Known() bool {
	for _, h := range d.Hours {
		if h.Known {
			return true
		}
	}
	return false
}

// Volume compares the day with the typical number until [Day.At].
func (c Comparison) Volume() Volume {
	total := float64(c.Day.Total())
	slight := math.Abs(total-c.SoFar.Median) < minChange*c.SoFar.Median
	switch {
	case c.SoFar.Days == 0 || !c.Day.Known():
		return NotComparable
	case total > c.SoFar.High && slight:
		return SlightlyMore
	case total > c.SoFar.High:
		return More
	case total < c.SoFar.Low && slight:
		return SlightlyFewer
	case total < c.SoFar.Low:
		return Fewer
	}
	return AsUsual
}

// Change returns the difference from the median until [Day.At], as a share of the median:
// 0.18 is 18 % more. ok is false if there is nothing to compare.
func (c Comparison) Change() (share float64, ok bool) {
	if c.Volume() == NotComparable || c.SoFar.Median == 0 {
		return 0, false
	}
	return float64(c.Day.Total())/c.SoFar.Median - 1, true
}
