//go:build !race

package ui

// raceEnabled tells that everything is ten times slower.
const raceEnabled = false
