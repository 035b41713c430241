// Package pages holds the pages of a board: which ones it has, which one the viewer is at, what is
// selected there, and the keys and commands about it.
//
// A [Set] has the tabs and, for each of them, a stack of detail pages. The package also contains the
// pages with a fixed layout, which are not made of configurable panes: Breaks and Sites. The page
// History is in ui/history. Everything belongs to the goroutine of the board's Update.
package pages
