// Package presence connects a board with the boards of the other viewers of its floor: messages,
// following another viewer, turning the pages of a wall display, the list of viewers, and the notes
// that all of them see.
//
// A [Connection] and a [NoteEditor] belong to the goroutine of their board. Commands wait for the
// next event of the [hub.Seat] and write notes; they end with the context of the board.
package presence
