// Package marks adds marks to the charts from two external sources: other programs on this machine,
// by a [Server], and iCalendar files, by [Calendars]. Both write the marks into note books.
//
// # Goroutines
//
// [Serve] starts one goroutine, and another one for each connection. [Server.Stop] ends them.
// [Calendars.Run] starts none.
//
// # Delivery
//
// A request is answered after the mark is on the disk. A mark that is posted twice is written
// twice. The event of a calendar is written once, at its time, by the first board that processes
// it.
package marks
