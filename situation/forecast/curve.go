package forecast

import (
	"math"
	"time"

	"wallboard/model/past"
)

// Curve says how a usual day's contacts are spread over it.
type Curve interface {
	// Until returns how many contacts a usual day has had at a time of the day.
	Until(t time.Time) float64
	// Spread returns the half width of the middle half of the days between two
	// times of a day, as a share of what is usual there.
	Spread(from, to time.Time) float64
	// Days is how many days it was made from; 0: nothing is known.
	Days() int
	// Basis says in words what it was made from.
	Basis() string
}

// usual is the curve of a weekday by the hour.
type usual struct {
	of   past.Usual
	zone *time.Location
}

// CurveOf returns the curve of what is usual on a weekday, by the clock of a time
// zone. Between two hours contacts come evenly. Nil where nothing is known.
func CurveOf(u past.Usual, zone *time.Location) Curve {
	c := usual{u, zone}
	if c.Days() == 0 {
		return nil
	}
	return c
}

// Until implements [Curve].
func (c usual) Until(t time.Time) float64 {
	t = t.In(c.zone)
	sum := 0.0
	for hour := range t.Hour() {
		sum += c.of.Hours[hour].Median
	}
	return sum + c.of.Hours[t.Hour()].Median*part(t)
}

// part is how much of its hour is over at a time.
func part(t time.Time) float64 {
	return (float64(t.Minute()) + float64(t.Second())/60) / 60
}

// Spread implements [Curve]. The hours of a day are taken to go together: a busy
// morning is followed by a busy afternoon.
func (c usual) Spread(from, to time.Time) float64 {
	from, to = from.In(c.zone), to.In(c.zone)
	last, end := to.Hour(), part(to)
	if !to.Before(past.StartOfDay(from, 1)) {
		last, end = len(c.of.Hours)-1, 1
	}
	wide, sum := 0.0, 0.0
	for hour := from.Hour(); hour <= last; hour++ {
		share := 1.0
		if hour == from.Hour() {
			share -= part(from)
		}
		if hour == last {
			share -= 1 - end
		}
		b := c.of.Hours[hour]
		wide += share * (b.High - b.Low) / 2
		sum += share * b.Median
	}
	if sum <= 0 {
		return 0
	}
	return wide / sum
}

// Days implements [Curve]: of the hours with contacts the fewest.
func (c usual) Days() int {
	least := math.MaxInt
	for _, b := range c.of.Hours {
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
func (c usual) Basis() string {
	n := c.Days()
	text := "the usual curve of " + c.of.Weekday.String() + "s (" + number(float64(n)) + " days)"
	if n == 1 {
		text = "one " + c.of.Weekday.String() + " before"
	}
	return text
}
