//go:build race

package proof_test

// raceEnabled tells that everything takes ten times as long.
const raceEnabled = true
