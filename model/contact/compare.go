package contact

import "math"

// Volume is the result of comparing the number of contacts of a day with the typical number.
type Volume uint8

// The volumes.
const (
	VolumeNotComparable Volume = iota // the typical number or the day's number is unknown
	VolumeAsUsual                     // between the quartiles
	VolumeMore                        // above the upper quartile
	VolumeFewer                       // below the lower quartile
	VolumeSlightlyMore                // above the upper quartile, but close to the median
	VolumeSlightlyFewer               // below the lower quartile, but close to the median
)

// minChange is the difference from the median, as a share of the median, below which a change is
// slight. It is needed because the quartiles of very similar days are so close to the median that a
// number outside them means little.
const minChange = 0.05

// AnyHourKnown reports whether the number of contacts of any hour of the day is known.
func (d Day) AnyHourKnown() bool {
	for _, h := range d.Hours {
		if h.Known {
			return true
		}
	}
	return false
}

// Volume compares the contacts of the day so far with the typical number at the same time of
// day ([Comparison.SoFar]).
func (c Comparison) Volume() Volume {
	total := float64(c.Day.Total())
	isSmall := math.Abs(total-c.SoFar.Median) < minChange*c.SoFar.Median
	switch {
	case c.SoFar.Days == 0 || !c.Day.AnyHourKnown():
		return VolumeNotComparable
	case total > c.SoFar.High && isSmall:
		return VolumeSlightlyMore
	case total > c.SoFar.High:
		return VolumeMore
	case total < c.SoFar.Low && isSmall:
		return VolumeSlightlyFewer
	case total < c.SoFar.Low:
		return VolumeFewer
	}
	return VolumeAsUsual
}

// Change returns the difference of the day's contacts so far from the median at the same time of
// day, as a share of the median: 0.18 is 18 % more. ok is false if the numbers cannot be compared.
func (c Comparison) Change() (share float64, ok bool) {
	if c.Volume() == VolumeNotComparable || c.SoFar.Median == 0 {
		return 0, false
	}
	return float64(c.Day.Total())/c.SoFar.Median - 1, true
}
