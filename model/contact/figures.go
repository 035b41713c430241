package contact

import "time"

// Hour is the number of contacts that began in one hour of a day.
type Hour struct {
	Start time.Time `json:"start"` // in the contact center's time zone
	Count int       `json:"count"`
	// Known is false for an hour that has not begun.
	Known bool `json:"known"`
	// Partial marks the current hour, which is incomplete.
	Partial bool `json:"partial,omitempty"`
}

// Day holds one day of the contact center by hour. A day with a clock change has 23 or 25
// hours.
type Day struct {
	Kind  Kind      `json:"kind"`
	Date  time.Time `json:"date"` // when the day began
	Hours []Hour    `json:"hours"`
	At    time.Time `json:"at"` // when the figures were requested
}

// Total returns the number of contacts that began on the day, as far as known.
func (d Day) Total() int {
	n := 0
	for _, h := range d.Hours {
		n += h.Count
	}
	return n
}

// Band is the typical range: half of the days were between Low and High.
type Band struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // lower quartile
	High   float64 `json:"high"` // upper quartile
	Days   int     `json:"days"` // number of days it is based on; 0: no data
}

// Baseline is the typical course of a weekday, from the last recorded days of its kind.
type Baseline struct {
	Kind    Kind         `json:"kind"`
	Weekday time.Weekday `json:"weekday"` // Sunday is 0
	Hours   [24]Band     `json:"hours"`   // by the hour of the day
	Total   Band         `json:"total"`   // band for whole days
	Dates   []time.Time  `json:"dates"`
}

// Comparison compares a day with the typical course of its weekday.
type Comparison struct {
	Day      Day      `json:"day"`
	Baseline Baseline `json:"usual"`
	// SoFar is the typical number until Day.At; the current hour counts in proportion.
	SoFar Band `json:"soFar"`
}

// Heat holds the average number of contacts that began, by weekday (Sunday is 0) and hour
// of the day.
type Heat struct {
	Kind  Kind        `json:"kind"`
	Range Range       `json:"range"`
	Cells [7][24]Cell `json:"cells"`
}

// Cell is one hour of a weekday.
type Cell struct {
	Mean float64 `json:"mean"`
	Days int     `json:"days"` // 0: no data
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
