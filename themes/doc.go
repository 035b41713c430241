// Package themes compiles palettes (TOML) into semantic styles.
//
// A theme maps every [Token] to a style. Pages use tokens, never colors. A color is never the
// only sign of a meaning: there is always a glyph or a word as well, because monochrome terminals
// show no colors and about one man in twelve is color-blind. [Theme.CheckReadability] checks the
// readability of a theme.
//
// The package owns the embedded palettes and reads those of the user; a [Library] holds both. A
// palette may extend another and only define differences. The problems of a file are returned as a
// list of [Problem], each with its line and remedy.
//
// The package starts no goroutine. [Theme] and Library are immutable and may be shared by any
// number of viewers. Styles are always compiled in full color; Bubble Tea reduces them to what
// the terminal can show.
package themes
