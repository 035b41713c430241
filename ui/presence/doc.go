// Package presence connects a board with the boards of the other viewers of its floor. Viewers can
// send messages, follow another viewer, turn the pages of a wall display, and list the viewers.
//
// A [Connection] belongs to the goroutine of its board. A command waits for the next event of the
// [hub.Seat], and ends with the context of the board.
package presence
