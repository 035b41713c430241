// Package textmode describes a floor in lines of text, for screen readers and simple
// terminals: first a summary, then a line for every important change, and further summaries
// at intervals. It also answers typed commands.
//
// A [Speaker] has no goroutine, clock or stream: the caller passes snapshots and the time,
// and writes the lines. Changes that come too fast are combined into one line, and those
// that are reversed before their announcement are dropped.
package textmode
