// Package marks adds marks to the charts from two external sources: other programs on this machine,
// through a [Server], and iCalendar files, through [Calendars]. Both write the marks into note
// books.
//
// # Goroutines
//
// [Serve] starts one goroutine, and another one for each connection. [Server.Stop] ends the first
// and closes the connections. [Calendars.Run] starts none.
//
// # Delivery
//
// A request is answered after the mark is on disk. A mark that is posted twice is written twice.
// The event of a calendar is written once, at its time, by the first board that processes the
// event.
package marks
