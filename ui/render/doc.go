// Package render turns the records of a snapshot into what the board shows of
// them: table rows, and the lines of a drill-down.
//
// It is the pure half of the board. It starts no goroutine, reads no clock and
// holds no state but caches keyed by the record they were made from; "now" is
// part of the [View] that every function is given. A source such as [Agents]
// belongs to one goroutine, the one that draws; the snapshot behind it may be
// shared by any number of boards.
//
// What the platform never sent is drawn as "–", a ratio without a denominator
// as "n/a", and 0 only when it is known to be 0. A state is never told by its
// colour alone: a glyph and a word always stand beside it.
package render
