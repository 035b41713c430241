// Package table implements a fast table for figures that change several times a second.
//
// Rows are selected by key: a row that the viewer has chosen stays selected while the rows around
// it are sorted, moved, filtered or replaced. Only visible rows are drawn. The string of a row is
// cached until the version, the selection or a flash of the row changes. A frame without changes is
// the same string as before. Styles are precompiled escape sequences, because calling Lip Gloss's
// Render for each cell would take more than a hundred times as long as writing the text.
//
// [ParseFilter] parses the filter that a viewer types. A filter consists of words, and of conditions on
// columns such as "time>10m". A [LayoutStore] stores the viewer's layouts of tables: the columns, their
// order and widths, the sort column, and pinned rows. The layouts are stored in a file in the directory
// "tables" next to the configuration file. The board writes this file, and the viewer may edit it.
//
// The package is independent of the domain types: rows come from a [Source]. It starts no
// goroutines, and only [RowCache] reads a clock. A [Model] belongs to the goroutine that runs the
// program's Update and View.
package table
