//go:build race

package control_test

// raceEnabled tells that everything is ten times slower.
const raceEnabled = true
