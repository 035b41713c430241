// Package textlayout lays out text in titled blocks and columns: labels with values, small tables,
// and wrapped paragraphs. Every line is exactly as wide as requested. The package knows no domain
// types.
package textlayout
