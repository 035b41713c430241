package past

import "time"

// Hour is how many contacts began within one hour of a day.
type Hour struct {
	Start time.Time `json:"start"` // in the contact center's time zone
	Count int       `json:"count"`
	// Known is false for an hour that has not begun.
	Known bool `json:"known"`
	// Partial marks the hour that is not over yet.
	Partial bool `json:"partial,omitempty"`
}

// Day is one day of the contact center by the hour. The day on which clocks
// change has 23 or 25 hours.
type Day struct {
	Kind  Kind      `json:"kind"`
	Date  time.Time `json:"date"` // when the day began
	Hours []Hour    `json:"hours"`
	At    time.Time `json:"at"` // when the figures were asked for
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
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // the lower quartile
	High   float64 `json:"high"` // the upper one
	Days   int     `json:"days"` // how many days it was made from; 0: nothing is known
}

// Usual is what is usual on a weekday, from the last days of its kind.
type Usual struct {
	Kind    Kind         `json:"kind"`
	Weekday time.Weekday `json:"weekday"` // Sunday is 0
	Hours   [24]Band     `json:"hours"`   // by the hour of the day
	Total   Band         `json:"total"`   // of whole days
	Dates   []time.Time  `json:"dates"`
}

// Comparison is a day against what is usual on its weekday.
type Comparison struct {
	Day   Day   `json:"day"`
	Usual Usual `json:"usual"`
	// SoFar is what is usual until Day.At: of the hour that is not over its part.
	SoFar Band `json:"soFar"`
}

// Heat is how many contacts began on average, by weekday (Sunday is 0) and hour
// of the day.
type Heat struct {
	Kind  Kind        `json:"kind"`
	Range Range       `json:"range"`
	Cells [7][24]Cell `json:"cells"`
}

// Cell is one hour of a weekday.
type Cell struct {
	Mean float64 `json:"mean"`
	Days int     `json:"days"` // 0: nothing is known
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
