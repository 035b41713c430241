// Package floor is what a board knows of the floor at one moment: the picture that
// it shows, when that was true, what is to be doubted of it, and what people call
// what stands on it.
//
// A [View] belongs to one board and one goroutine. The snapshots in it never
// change; nothing here draws more than a few words.
package floor
