// Package rowset groups the rows of a table or compares them with earlier rows. [Grouped] arranges
// the rows in groups. Each group has its own line and can be folded into that line. A row that
// belongs to several groups appears in each of them. [Comparison] compares the rows with those of
// another snapshot. Changed cells show both values, and added and removed rows are marked.
// [CriticalRows] finds the critical rows.
package rowset
