// Package snapshot provides a board's view of the floor at one moment: the snapshot on the screen,
// its time, doubts about its figures, and display names.
//
// A [View] belongs to one board and one goroutine. The snapshots in it never change.
// Apart from a few short texts, the package contains no drawing code.
package snapshot
