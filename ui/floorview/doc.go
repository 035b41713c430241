// Package floorview holds the floor as a board shows it at one moment: the snapshot on the screen,
// its time, doubts about its figures, and display names.
//
// It also arranges the rows of a snapshot for a table. [GroupedRows] arranges them in groups. Each group
// has its own line and can be folded into that line; a row that belongs to several groups appears in
// each of them. [Comparison] compares the rows with those of another snapshot: changed cells show
// both values, and added and removed rows are marked. [CriticalRows] finds the critical rows.
//
// A [View] belongs to one board and one goroutine. The snapshots in a View never change. The
// package draws only the lines of groups, compared cells and a few short texts.
package floorview
