package contact

import "time"

// Hour holds the number of contacts that began in one hour of a day.
type Hour struct {
	Start time.Time `json:"start"` // in the contact center's time zone
	Count int       `json:"count"`
	// Known is false if the hour has not begun yet.
	Known bool `json:"known"`
	// Partial is true for the current hour, whose number is not final.
	Partial bool `json:"partial,omitempty"`
}

// Day holds the contacts of one day of the contact center by hour. A day on which clocks
// change has 23 or 25 hours.
type Day struct {
	Kind  Kind      `json:"kind"`
	Date  time.Time `json:"date"` // beginning of the day
	Hours []Hour    `json:"hours"`
	At    time.Time `json:"at"` // when the figures were requested
}

// Total returns the number of contacts that began on the day, counting only the hours that are
// known.
func (d Day) Total() int {
	n := 0
	for _, h := range d.Hours {
		n += h.Count
	}
	return n
}

// TypicalRange is the typical range of a number: on half of the days it was between Low and High.
type TypicalRange struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // lower quartile
	High   float64 `json:"high"` // upper quartile
	Days   int     `json:"days"` // number of days on which the range is based; 0: no data
}

// Baseline is the typical course of a day of the week, based on recent days of the same weekday.
type Baseline struct {
	Kind    Kind             `json:"kind"`
	Weekday time.Weekday     `json:"weekday"` // Sunday is 0
	Hours   [24]TypicalRange `json:"hours"`   // by the hour of the day
	Total   TypicalRange     `json:"total"`   // typical range of the whole day
	Dates   []time.Time      `json:"dates"`
}

// Comparison compares a day with the typical course of its weekday.
type Comparison struct {
	Day      Day      `json:"day"`
	Baseline Baseline `json:"usual"`
	// SoFar is the typical range of the number of contacts from the start of the day to Day.At. The
	// hour of Day.At counts in part.
	SoFar TypicalRange `json:"soFar"`
	// IsHoliday reports whether Day is a holiday, which is not compared with other days.
	IsHoliday bool `json:"holiday,omitempty"`
}

// WeeklyAverages holds the average number of contacts that began in each hour of the week, by weekday
// (Sunday is 0) and hour of the day.
type WeeklyAverages struct {
	Kind  Kind        `json:"kind"`
	Range Range       `json:"range"`
	Cells [7][24]Cell `json:"cells"`
}

// Cell holds the average of one hour of a weekday.
type Cell struct {
	Mean float64 `json:"mean"`
	Days int     `json:"days"` // number of days in the average; 0: no data
}

// Max returns the highest average of all hours.
func (h WeeklyAverages) Max() float64 {
	highest := 0.0
	for _, day := range h.Cells {
		for _, c := range day {
			highest = max(highest, c.Mean)
		}
	}
	return highest
}
