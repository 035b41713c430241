// Package panes draws the part of a board between header and footer: pages, the panes
// on them, and their layout.
//
// A [Page] is built from a [PageSpec], either a standard one (see [StandardPage]) or one from the
// configuration. A [Pane] is one element of a page: a table of records, tiles, a map, a chart.
// Panes may implement small optional interfaces beside the three methods of Pane.
//
// Pages and panes are plain structs owned by the goroutine of one board. They draw from
// the [Scene] passed to each call, change only themselves, and answer keys and the
// mouse with commands and messages.
package panes
