//go:build race

package feeds

// raceEnabled tells that everything takes twice the memory.
const raceEnabled = true
