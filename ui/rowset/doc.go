// Package rowset groups or compares the rows of a table. [Grouped] arranges them in groups:
// each group has a line of its own and can be folded to that line, and a row in several
// groups appears in each of them. [Comparison] compares them with the rows of another snapshot:
// changed cells show both values, and added and removed rows are marked.
package rowset
