// Package alerts evaluates alerts for a board: which are active in the newest snapshot and
// in the one on the screen, which of them are news, and who takes them over.
//
// A [Watch] belongs to the board's goroutine. Several boards can share an [Engine]; a Watch
// keeps only what it draws from. Each change of the alerts is reported once to each board.
package alerts
