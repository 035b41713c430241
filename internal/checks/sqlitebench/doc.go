// Package sqlite measures recordings of a simulated floor beside the same data in
// SQLite: their size, the cost of writing them, and the time to find an instant.
// It is a module of its own, so that the wallboard does not depend on SQLite.
//
//	make recording-baseline
package sqlite
