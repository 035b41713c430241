// Package table is a fast table for figures that change several times a second.
//
// Rows are selected by key: the selected row stays selected while rows are sorted, moved, filtered
// or replaced around it. Only visible rows are rendered. The string of a row is cached until its
// version, its selection or a flash changes. A frame without changes is the same string as before.
// Styles are precompiled escape sequences, because a Lip Gloss Render per cell costs more than a
// hundred times as much as the text.
//
// [ParseFilter] parses the filter that a viewer types: words, and conditions on columns such as
// "time>10m". A [LayoutStore] keeps the viewer's layouts of tables: columns, their order and
// widths, the sort column, pinned rows. They are in a file next to the configuration file. The
// board writes this file, and the viewer may edit it.
//
// The package knows no domain types: rows come from a [Source]. It starts no goroutines and reads
// no clock. A [Model] belongs to the goroutine that runs the program's Update and View.
package table
