// Package sqlite compares recordings of a simulated floor with the same data in SQLite:
// size, cost of writing, and time to find an instant. It is a module of its own, so that
// the wallboard does not depend on SQLite.
//
//	make recording-baseline
package sqlite
