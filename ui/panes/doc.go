// Package panes draws the part of a board between header and footer: pages, the panes
// on them, and their layout.
//
// A [Page] is built from a [PageSpec], either a standard one (see [Standard]) or one
// from the configuration. A [Pane] shows one thing: a table of records, tiles, a map, a
// chart. Small optional interfaces add to its three methods.
//
// Pages and panes are plain structs owned by the goroutine of one board. They draw from
// the [Scene] passed to each call, change only themselves, and answer keys and the
// mouse with commands and messages.
package panes
