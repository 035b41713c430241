package app

import (
	"wallboard/internal/config"
)

// Environment holds what a command decides about the platforms of its process.
type Environment struct {
	Version   string // version of the program, for the description of recordings
	Simulated bool   // the platforms are simulated: no alerts are stored
	Spoken    bool   // texts of alerts are spoken

	// EarlierHours returns the hours before a simulated platform started; nil on a real one.
	EarlierHours func(*config.Config) EarlierHours
	// EarlierDays returns the days before that; nil on a real one.
	EarlierDays func(*config.Config) DaySource
}
