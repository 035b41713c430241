package past

import "time"

// Hour is how many contacts began within one hour of a day.
type Hour struct {
	Start time.Time // in the contact center's time zone
	Count int
	// Known is false for an hour that has not begun.
	Known bool
	// Partial marks the hour that is not over yet.
	Partial bool
}

// Day is one day of the contact center by the hour. The day on which clocks
// change has 23 or 25 hours.
type Day struct {
	Kind  Kind
	Date  time.Time // the midnight that the day began with
	Hours []Hour
	At    time.Time // when the figures were asked for
}

// Total returns how many contacts began on the day, as far as is known.
func (d Day) Total() int {
	n := 0
	for _, h := range d.Hours {
		n += h.Count
	}
	return n
}

// Band is what is usual: half of the days were between Low and High.
type Band struct {
	Median    float64
	Low, High float64 // the quartiles
	Days      int     // how many days it was made from; 0: nothing is known
}

// Usual is what is usual on a weekday, from the last days of its kind.
type Usual struct {
	Kind    Kind
	Weekday time.Weekday
	Hours   [24]Band // by the hour of the day
	Total   Band     // of whole days
	Dates   []time.Time
}

// Comparison is a day against what is usual on its weekday.
type Comparison struct {
	Day   Day
	Usual Usual
	// SoFar is what is usual until Day.At: of the hour that is not over its part.
	SoFar Band
}

// Heat is how many contacts began on average, by weekday (Sunday is 0) and hour
// of the day.
type Heat struct {
	Kind  Kind
	Range Range
	Cells [7][24]Cell
}

// Cell is one hour of a weekday.
type Cell struct {
	Mean float64
	Days int // 0: nothing is known
}

// Max returns the highest mean.
func (h Heat) Max() float64 {
	highest := 0.0
	for _, day := range h.Cells {
		for _, c := range day {
			highest = max(highest, c.Mean)
		}
	}
	return highest
}
