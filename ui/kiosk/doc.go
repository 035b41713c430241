// Package kiosk turns a board into an unattended wall display. Pages rotate, situations bring their
// page to the front, keys only turn pages, and names are hidden by default.
//
// A [Kiosk] selects the page and draws the lines around it. It is driven by the ticks of its board,
// and it belongs to the goroutine of the board.
package kiosk
