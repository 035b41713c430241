// Package textlayout lays out text in titled blocks and columns: labels with values, small tables,
// and wrapped paragraphs. Every line is exactly as wide as requested. The package is independent of
// the domain types.
package textlayout
