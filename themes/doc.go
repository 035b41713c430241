// Package themes turns palettes (TOML) into semantic styles.
//
// A theme maps every [Token] to a style. Pages ask for a token, never for a
// colour, and a token never stands alone for a meaning: whatever it colours
// carries a glyph or a word as well, because colours are lost on monochrome
// terminals and to one reader in twelve. [Theme.Review] computes what readers
// will find hard to see.
//
// The package owns the embedded palettes, and reads the user's: a [Library] is
// both. A palette may extend another and say only what differs. What is wrong
// with a file is a list of [Problem], each with its line and what to do.
//
// It starts no goroutine. A [Theme] and a Library are immutable: they may be
// shared by any number of viewers. Sequences are always compiled in full
// colour; Bubble Tea reduces them to what the terminal can show.
package themes
