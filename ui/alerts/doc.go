// Package alerts holds the alerts of a board: those of the newest snapshot and, on a frozen board,
// those of the snapshot on the screen. It announces new situations. It also opens the forms with
// which viewers take alerts over and snooze them.
//
// A [BoardAlerts] belongs to the goroutine of its board. Several boards can share an [Engine]. Each
// of these boards has its own BoardAlerts, which receives every change of the alerts once.
package alerts
