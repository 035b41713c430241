// Package marks takes marks on the charts from outside: a [Server] from other programs on this
// machine, and [Calendars] from iCalendar files. Both write them into note books.
//
// # Goroutines
//
// [Serve] uses one goroutine, and one for each connection, until [Server.Stop]. [Calendars.Run]
// uses none of its own.
//
// # Delivery
//
// A request is answered after the mark is on the disk. A mark that is posted twice is written twice.
// An event of a calendar is written once, when its time comes, by whichever board sees it first.
package marks
