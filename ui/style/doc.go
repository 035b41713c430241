// Package style provides the drawing tools that all parts of the board share: lines that are never
// wider than their limit, blocks of lines, and a [Look], which holds the current theme and glyphs.
// It also draws samples of a theme ([ThemePreview]).
//
// The package depends on neither records nor pages, and starts no goroutines. A Look does not
// change after its creation.
package style
