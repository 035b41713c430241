// Package snapshot is a board's view of the floor at one moment: the shown snapshot, its
// time, doubts about its figures, and display names.
//
// A [View] belongs to one board and one goroutine. The snapshots in it never change.
// The package draws no more than a few words.
package snapshot
