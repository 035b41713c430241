// Package style provides the drawing tools that all parts of the board share: lines that never grow
// beyond their width, blocks of lines, and a [Look]. A Look holds the current theme and glyphs.
//
// It knows no records and no pages, and starts no goroutines. A Look does not change after its
// creation.
package style
