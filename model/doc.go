// Package model is the domain of the wallboard: the records of the platform's
// real-time display service, the store that holds them and the figures derived
// from them.
//
// It is pure: the standard library only, no goroutine, no clock, no I/O. Time
// always comes in as an argument. Every value that the platform may leave out
// is either known or unknown; nothing unknown is ever shown as 0.
//
// Records are immutable once they were put into a [Store]; a changed record is
// a new record. The store has a single writer. A [Snapshot] may be read by any
// number of goroutines.
//
// "Document 2" in the comments is the description of the real-time display
// service (edition 1.0.2).
package model
