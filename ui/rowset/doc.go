// Package rowset groups or compares the rows of a table. [Grouped] arranges the rows in groups.
// Each group has a line of its own and can be folded to that line. A row in several groups appears
// in each of them. [Comparison] compares the rows with those of another snapshot. Changed cells
// show both values, and added and removed rows are marked.
package rowset
