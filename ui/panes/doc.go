// Package panes is what stands between a board's header and its footer: pages, the
// panes that they are made of, and how these share the screen.
//
// A [Page] is made from a [PageSpec], the standard ones (see [Standard]) as those of
// a configuration. A [Pane] shows one thing: a table of records, tiles, a map, a
// chart. It has three methods, and small interfaces for what only some panes have.
//
// Pages and panes are plain structs that belong to one board and its goroutine.
// They draw from a [Scene], which is handed to them with every call, change nothing
// but themselves, and answer keys and the mouse with commands and messages.
package panes
