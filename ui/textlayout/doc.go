// Package textlayout lays out text: titled blocks in columns, labels with values, small
// tables, wrapped paragraphs. Every line is exactly as wide as requested. It knows no
// domain types.
package textlayout
