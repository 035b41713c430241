// Package situations draws situations in words: a panel with the situations that need
// action, and their details. Everything runs on the board's goroutine.
package situations
