// Package style contains what all parts of the board draw with: lines that never grow
// beyond their width, blocks of lines, and the current theme and glyphs.
//
// It knows no records and no pages. Its values do not change after they are made.
package style
