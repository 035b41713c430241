package table

import "github.com/charmbracelet/x/ansi"

// Styles holds the escape sequences of a table; "" means plain. Sequences must only
// switch attributes on.
type Styles struct {
	// Base lies below everything.
	Base string
	// Header and HeaderSorted draw the titles.
	Header, HeaderSorted string
	// Label draws the titles that precede figures on the second line of rows, and
	// Second those figures there that have no style of their own.
	Label, Second string
	// Selected applies to the cells of the selected row, SelectedBlurred if the table
	// does not have the keyboard.
	Selected, SelectedBlurred string
	// Stray applies, on top of the selection, to a row that no longer matches the
	// filter.
	Stray string
	// Cursor draws the mark in front of the selected row.
	Cursor string
	// Mark draws the sign of a marked row.
	Mark string
	// Flash applies to a cell that has just changed.
	Flash string
	// Empty draws the text of a table without rows.
	Empty string
	// Blank applies to blanks at the end of a line.
	Blank string
	// ScrollThumb and ScrollTrack draw the scroll bar.
	ScrollThumb, ScrollTrack string
}

// Glyphs holds the characters that a table draws itself; each is one cell wide.
type Glyphs struct {
	Ellipsis    string // ends cut text
	Asc, Desc   string // direction of the sort, behind the title
	Cursor      string // in front of the selected row
	Mark        string // beside the marker of a marked row
	Pin         string // in front of a pinned row
	ScrollThumb string
	ScrollTrack string
	ScrollGap   int // blanks before the scroll bar if it looks like text
}

// DefaultGlyphs returns the glyphs for UTF-8 terminals.
func DefaultGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "…", Asc: "▲", Desc: "▼", Cursor: "▌", Mark: "■", Pin: "↑",
		ScrollThumb: "┃", ScrollTrack: "│",
	}
}

// ASCIIGlyphs returns the glyphs for all other terminals.
func ASCIIGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "~", Asc: " ^", Desc: " v", Cursor: ">", Mark: "#", Pin: "^", // the blank separates the letter from the title
		ScrollThumb: "#", ScrollTrack: "|", ScrollGap: 1,
	}
}

// appearance holds everything about the appearance of a table except its contents.
type appearance struct {
	styles    Styles
	glyphs    Glyphs
	method    ansi.Method
	blank     string // drawn in place of figures; "": draw the figures
	emptyText string
}
