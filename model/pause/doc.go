// Package pause says what kind of break somebody is on, and how long one of it may
// take at once.
//
// The platform has no kinds: an agent who is not ready has a code, whose name is free
// text that somebody once typed. The kind is guessed from that name in six languages,
// and only where it leaves no doubt; what the configuration says wins, and whoever
// shows a limit can say which of the two it is.
//
// It is pure: no clock, no I/O. A [Book] may be used by several goroutines.
package pause
