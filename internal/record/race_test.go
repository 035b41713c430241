//go:build race

package record

// raceEnabled reports that the race detector is on, which makes everything ten times
// slower.
const raceEnabled = true
