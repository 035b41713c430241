//go:build !race

package cli

// raceEnabled is true if the race detector makes everything ten times slower.
const raceEnabled = false
