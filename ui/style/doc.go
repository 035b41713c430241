// Package style provides the drawing tools that all parts of the board share: lines that are never
// wider than their limit, blocks of lines, and a [Look], which holds the current theme and glyphs.
// It also draws samples of a theme ([ThemePreview]).
//
// The package does not depend on pages, and starts no goroutines. Apart from its caches, a Look does
// not change after its creation.
package style
