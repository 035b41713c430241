// Package table is a fast table for figures that change several times a second.
//
// It selects by key: the selected row stays selected while rows are sorted, moved,
// filtered or replaced around it. Only visible rows are rendered; a row's string is
// cached until its version, its selection or a flash changes, and a frame without
// changes is the same string as before. Styles are precompiled escape sequences,
// because a Lip Gloss Render per cell costs more than a hundred times as much as the
// text.
//
// [ParseFilter] parses the filter that a viewer types: words, and conditions on columns
// such as "time>10m". A [LayoutStore] keeps the viewer's layouts of tables (columns, their
// order and widths, the sort column, pinned rows) in a file next to the configuration file,
// which the board writes and the viewer may edit.
//
// The package knows no domain types: rows come from a [Source]. It starts no goroutines
// and reads no clock; a [Model] belongs to one goroutine, the one that runs the
// program's Update and View.
package table
