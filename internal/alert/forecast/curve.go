package forecast

import (
	"math"
	"time"

	"wallboard/internal/words"
	"wallboard/model/contact"
)

// Curve describes how the contacts of a usual day are distributed over the day.
type Curve interface {
	// ContactsUntil returns the usual number of contacts from the beginning of t's day until t.
	ContactsUntil(t time.Time) float64
	// Spread returns by how much the number of contacts between two times differs from day to day:
	// half the interquartile range, divided by the usual number.
	Spread(from, to time.Time) float64
	// Days returns the number of days behind the curve, or 0 if nothing is known.
	Days() int
	// Basis describes the data behind the curve.
	Basis() words.Text
}

// weekdayCurve is the hourly curve of a weekday.
type weekdayCurve struct {
	usual contact.Baseline
	zone  *time.Location
}

// CurveOf returns the usual curve of a weekday in a time zone. The number of contacts grows
// linearly within each hour. CurveOf returns nil if u has no hour with contacts.
func CurveOf(u contact.Baseline, zone *time.Location) Curve {
	c := weekdayCurve{u, zone}
	if c.Days() == 0 {
		return nil
	}
	return c
}

// ContactsUntil implements [Curve].
func (c weekdayCurve) ContactsUntil(t time.Time) float64 {
	t = t.In(c.zone)
	sum := 0.0
	for hour := range t.Hour() {
		sum += c.usual.Hours[hour].Median
	}
	return sum + c.usual.Hours[t.Hour()].Median*elapsedShare(t)
}

// elapsedShare returns the share of the current hour that has elapsed at t, 0 to 1.
func elapsedShare(t time.Time) float64 {
	return (float64(t.Minute()) + float64(t.Second())/60) / 60
}

// Spread implements [Curve]. It assumes that the hours of a day correlate, because a busy afternoon
// usually follows a busy morning.
func (c weekdayCurve) Spread(from, to time.Time) float64 {
	from, to = from.In(c.zone), to.In(c.zone)
	last, end := to.Hour(), elapsedShare(to)
	if !to.Before(contact.StartOfDay(from, 1)) {
		last, end = len(c.usual.Hours)-1, 1
	}
	halfRange, sum := 0.0, 0.0
	for hour := from.Hour(); hour <= last; hour++ {
		share := 1.0
		if hour == from.Hour() {
			share -= elapsedShare(from)
		}
		if hour == last {
			share -= 1 - end
		}
		b := c.usual.Hours[hour]
		halfRange += share * (b.High - b.Low) / 2
		sum += share * b.Median
	}
	if sum <= 0 {
		return 0
	}
	return halfRange / sum
}

// Days implements [Curve]. The number of days may differ between hours, and Days returns the
// smallest number for an hour with contacts.
func (c weekdayCurve) Days() int {
	least := math.MaxInt
	for _, b := range c.usual.Hours {
		if b.Median > 0 {
			least = min(least, b.Days)
		}
	}
	if least == math.MaxInt {
		return 0
	}
	return least
}

// Basis implements [Curve].
func (c weekdayCurve) Basis() words.Text {
	one, many := weekdayNames(c.usual.Weekday)
	if n := c.Days(); n != 1 {
		return words.ForecastTypicalCurve(many, n)
	}
	return words.ForecastOneBefore(one)
}
