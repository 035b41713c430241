// Package ui is the board: a Bubble Tea program that draws the newest
// [model.Snapshot] of a [SnapshotSource] and lets a supervisor look around in
// it, and act on the platform through a [actions.Controller].
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
// Actions: each is asked for in a dialog, runs in a command of its own, and ends
// in the log of actions whatever becomes of its dialog. What was asked for is
// marked on the row that it concerns until a snapshot shows it; no figure is
// ever changed before that. A board without a Controller has no such keys.
//
// Alerts: the board owns an [alert.Engine] and asks it about every new picture
// and every second, in Update; while the picture is frozen, on the newest one.
// Rows show the engine's alerts and measure nothing themselves.
//
// Delivery: the newest snapshot wins. A board that is slow skips pictures, it
// never shows an old one after a newer one. What is on the screen is drawn once
// per change and kept as a string: a message that changes nothing writes
// nothing to the terminal.
package ui
