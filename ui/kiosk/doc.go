// Package kiosk turns a board into an unattended wall display: pages rotate, situations bring their
// page to the front, keys only turn pages, and names are hidden.
//
// A [Kiosk] selects the page and draws the lines around it. It is driven by the ticks of its board
// and belongs to the board's goroutine.
package kiosk
