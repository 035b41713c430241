//go:build !race

package record

// raceEnabled tells that everything is ten times slower.
const raceEnabled = false
