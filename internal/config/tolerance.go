package config

import (
	"wallboard/internal/alert"
	"wallboard/internal/textformat"
)

// Tolerance sets how much worse than their targets the figures of the day may be without being
// reported as missed.
type Tolerance struct {
	ServiceLevel float64 `toml:"service_level"` // Percentage points below the target of the service level.
	Abandoned    float64 `toml:"abandoned"`     // Percentage points above the target of the abandon rate.
}

// MaxTolerance is the largest tolerance, in percentage points. A tolerance below minTolerance is
// probably meant as a share, such as 0.03 for 3 points.
const (
	MaxTolerance = 20
	minTolerance = 0.1
)

// toShares converts the tolerance to shares. It adds a problem for each value that is out of range.
func (t *Tolerance) toShares(r *report) alert.Tolerance {
	check := func(key string, points float64) float64 {
		if points != 0 && !(points >= minTolerance && points <= MaxTolerance) { // also refuses NaN
			r.add(joinKey("tolerance", key), textformat.ConfigNumber(points)+" is out of range", "allowed: 0, or "+textformat.ConfigNumber(minTolerance)+" to "+textformat.ConfigNumber(MaxTolerance)+" percentage points, 3 for 77 % instead of 80 %")
			return 0
		}
		return points / 100
	}
	return alert.Tolerance{ServiceLevel: check("service_level", t.ServiceLevel), Abandon: check("abandoned", t.Abandoned)}
}
