// Package ui implements the board: a Bubble Tea program that draws the newest
// [model.Snapshot] of a [snapshot.Source], and lets a supervisor inspect it and act on the
// platform through an [actions.Controller].
//
// It owns the screen, the keyboard and the mouse of one viewer. It reads snapshots, which
// are immutable, and writes none. Many boards can run in one process on one source.
//
// Goroutines: those of Bubble Tea, and the commands that it runs. One command waits for the
// next snapshot and is started again after each; one ticks once a second, on the second of
// the server's clock; one more runs only while changed figures are highlighted. All end with
// the context of [Options].
//
// Actions: an action is requested in a dialog, runs in a command of its own, and has its outcome in
// the log of actions, even if its dialog was closed. Its row shows a mark until a snapshot shows
// the effect; the board never changes figures before that. A board without a Controller has no
// keys for actions.
//
// Alerts: the board evaluates each new snapshot with its [alerts.Engine], and the newest one once a second,
// in Update, also while the board is frozen. Rows show the engine's alerts and evaluate nothing
// themselves. If another board with the same engine has evaluated a newer snapshot, the board takes
// that snapshot, so that its tables are never older than its alerts and situations.
//
// Delivery: the newest snapshot wins. A slow board skips snapshots, and never shows an older
// one after a newer one. The screen is drawn once per change and cached: a message that
// changes nothing writes nothing to the terminal.
package ui
