// Package sheet lays text out: titled blocks in columns, labels with their values,
// small tables, wrapped paragraphs. Every line is exactly as wide as asked. It knows no
// domain type.
package sheet
