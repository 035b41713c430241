// Package model holds the records of the platform's real-time display service, the store that
// owns them and the figures derived from them.
//
// The package is pure: it imports only the standard library, starts no goroutine, reads no clock
// and does no I/O. Callers pass in the time. Every value that the platform may omit is either known
// or unknown; an unknown value is never shown as 0.
//
// A record is immutable once it is in a [Store]; a change is a new record. A store has a
// single writer. Any number of goroutines may read a [Snapshot].
//
// A [SeriesStore] holds the latest values of several figures at equal steps of time: 4 bytes for each
// value, and nothing for figures that are unknown or have not changed for some time.
//
// In comments, "document 1" is the description of the platform's configuration service.
// "Document 2" is that of the real-time display service (edition 1.0.2).
package model
