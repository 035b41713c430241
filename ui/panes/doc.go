// Package panes draws the part of a board between the header and the footer: pages, the panes of a
// page, and their layout.
//
// A [Page] is built from a [PageSpec], which is a standard one (see [StandardPage]) or comes from the
// configuration. A [Pane] is an element of a page: a table of records, tiles, a map, a chart. A pane may
// implement optional interfaces, such as [KeyHandler], in addition to the three methods of Pane.
//
// Pages and panes are structs owned by the goroutine of one board. They draw from the [Scene] that
// is passed to each call, and change nothing except themselves. They answer keys and the mouse with
// commands and messages.
package panes
