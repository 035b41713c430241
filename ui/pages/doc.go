// Package pages manages the pages of a board: the current page, the viewer's selection on it, and
// the keys and commands that concern the pages.
//
// A [Set] has a page for each tab and, for each page, a stack of detail pages. The package also
// contains the pages Breaks and Sites, which have a fixed layout instead of configurable panes. The
// page History is in ui/history. All types belong to the goroutine of the board's Update.
//
// A [KeyMap] holds the key bindings of the board and applies changes from the configuration. A
// [KeyHelp] draws the help, a list of all keys in which the viewer can choose an action.
package pages
