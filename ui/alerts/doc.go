// Package alerts holds the alerts of a board: those of the newest snapshot and those of the
// snapshot on the screen. It announces new situations, and lets viewers take alerts over and
// snooze them.
//
// A [Watch] belongs to the board's goroutine. Several boards can share an [Engine]; each board
// then has its own Watch, which receives every change once.
package alerts
