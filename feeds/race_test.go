//go:build race

package feeds

// raceEnabled reports whether memory use is doubled by the race detector.
const raceEnabled = true
