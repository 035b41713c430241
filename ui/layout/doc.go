// Package layout divides a screen: among the panes of a page, and into a grid of cards for a
// screen that is read from a distance, with as many and as large figures as possible.
package layout
