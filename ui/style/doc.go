// Package style provides the drawing tools that all parts of the board share: lines that never get
// wider than their width, blocks of lines, and a [Look], which holds the current theme and glyphs.
//
// The package knows neither records nor pages, and starts no goroutines. A Look never changes after
// its creation.
package style
