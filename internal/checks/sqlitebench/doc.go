// Package sqlite compares the recordings of a simulated floor with the same data in SQLite:
// size, cost of writing, and time to find an instant. The package is in its own module,
// because Wallboard must not depend on SQLite.
//
// make recording-baseline
package sqlite
