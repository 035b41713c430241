// Package rowset puts a table's rows into another form. [Grouped] arranges them in groups:
// each group has a line of its own and can be folded to that line, and a row in several
// groups appears in each of them. [Comparison] compares them with those of another instant:
// changed cells show both values, added and removed rows are marked.
package rowset
