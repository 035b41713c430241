// Package themes turns palettes (TOML) into semantic styles.
//
// A theme maps every [Token] to a style. Pages ask for a token, never for a
// colour, and a token never stands alone for a meaning: whatever it colours
// carries a glyph or a word as well, because colours are lost on monochrome
// terminals and to one reader in twelve.
//
// The package owns the embedded palettes. It starts no goroutine, and a
// [Theme] is immutable: it may be shared by any number of viewers. Sequences
// are always compiled in full colour; Bubble Tea reduces them to what the
// terminal can show.
package themes
