//go:build race

package proof_test

// raceEnabled reports whether the race detector is on, which makes the tests ten
// times slower.
const raceEnabled = true
