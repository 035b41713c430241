//go:build race

package ui

// raceEnabled is true if the race detector makes everything ten times slower.
const raceEnabled = true
