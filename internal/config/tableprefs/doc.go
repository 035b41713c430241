// Package tableprefs stores the table layouts of a viewer: columns, their order and widths,
// and the sort column. They are in a file next to the configuration file, which the board
// writes and the viewer may edit. The package starts no goroutine.
package tableprefs
