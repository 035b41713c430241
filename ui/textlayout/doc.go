// Package textlayout lays out text: titled blocks in columns, labels with values, small tables, and
// wrapped paragraphs. Every line is exactly as wide as requested. The package knows no domain
// types.
package textlayout
