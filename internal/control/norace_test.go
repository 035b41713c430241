//go:build !race

package control_test

// raceEnabled is true if everything is ten times slower.
const raceEnabled = false
