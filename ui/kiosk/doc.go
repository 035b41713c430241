// Package kiosk turns a board into an unattended wall display: pages rotate, situations
// bring their page to the front, keys only turn pages, and names are hidden.
//
// A [Kiosk] advances with the board's clock and runs on the board's goroutine. It selects
// the page and draws the lines around it.
package kiosk
