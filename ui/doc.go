// Package ui is the board: a Bubble Tea program that draws the newest
// [model.Snapshot] of a [SnapshotSource] and lets a supervisor look around in
// it.
//
// It owns the screen, the keyboard and the mouse of one viewer, and nothing
// else: it reads snapshots, which never change, and writes none. Many boards
// may run in one process on one source.
//
// Goroutines: the program's own (Bubble Tea), and the commands that it runs.
// One command waits for the next snapshot and is started again after each; one
// ticks once a second, on the second of the server's clock; one more runs only
// while changed figures are highlighted. All end with the context of
// [Options].
//
// Delivery: the newest snapshot wins. A board that is slow skips pictures, it
// never shows an old one after a newer one. What is on the screen is drawn once
// per change and kept as a string: a message that changes nothing writes
// nothing to the terminal.
package ui
