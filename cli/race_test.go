//go:build race

package cli

// raceEnabled tells that everything is ten times slower.
const raceEnabled = true
