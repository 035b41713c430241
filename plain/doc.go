// Package plain says how a floor is doing in lines of text, for screen readers
// and for terminals that can do no more: first a paragraph, then a line whenever
// something that matters has changed, and a summary now and then. It answers
// what is typed.
//
// A [Speaker] has no goroutine, no clock and no stream: whoever runs it hands it
// snapshots and the time, and writes what it says. Changes that come faster than
// anybody can listen are put into one line; what came and went before it was
// said is not said at all.
package plain
