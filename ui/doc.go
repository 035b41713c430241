// Package ui implements the board: a Bubble Tea program that draws the newest [model.Snapshot] of a
// [snapshot.Source]. A supervisor inspects the snapshot on the board and acts on the platform
// through an [actions.Controller].
//
// The package owns the screen, the keyboard and the mouse of one viewer. It reads snapshots, which
// are immutable, and never creates or changes any. Many boards can run in one process on one
// source.
//
// A [Model] shows one floor at a time. It has a live floor for each platform of the viewer and,
// during a replay, the floor of the recording. A floor consists of data: the snapshot, the alerts,
// the pages with their selections and filters, and the open dialogs. Hidden floors take snapshots
// and evaluate alerts. Their alerts ring the bell, and their messages appear on the screen with the
// name of the platform. A message that is not about the floor on the screen names its floor.
//
// Goroutines: those of Bubble Tea, and the commands that it runs. For each floor, one command waits
// for the next snapshot and is started again after each snapshot. One command ticks once a second,
// on the second of the server's clock. Another command runs only while changed figures are
// highlighted. All of them end with the context of [Options].
//
// Actions: an action is requested in a dialog and runs in a command of its own. Its outcome is
// stored in the log of actions, even if the dialog was closed. The row of the action's target shows
// a mark until a snapshot shows the effect; the board never changes figures before that. A board
// without a Controller has no keys for actions.
//
// Alerts: the board evaluates each new snapshot with its [alerts.Engine]. Once a second, it
// evaluates the newest snapshot again in Update, also while the board is frozen. Rows show the
// engine's alerts and evaluate nothing themselves. If another board with the same engine has
// evaluated a newer snapshot, the board takes that snapshot, so that its tables are never older
// than its alerts and situations.
//
// Delivery: the newest snapshot wins. A slow board skips snapshots, and never shows an older
// snapshot after a newer one. The screen is drawn once per change and cached. Handling a message
// that changes nothing on the screen writes nothing to the terminal.
package ui
