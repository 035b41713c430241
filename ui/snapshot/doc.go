// Package snapshot holds the floor as a board shows it at one moment: the snapshot on the screen,
// its time, doubts about its figures, and display names.
//
// A [View] belongs to one board and one goroutine. The snapshots in a View never change. The
// package contains no drawing code except for a few short texts.
package snapshot
