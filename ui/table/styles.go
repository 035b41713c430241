package table

import "github.com/charmbracelet/x/ansi"

// Styles holds the escape sequences of a table. An empty sequence means plain text. Sequences must
// only switch attributes on.
type Styles struct {
	// Base is active below everything.
	Base string
	// Header and HeaderSorted draw the titles.
	Header, HeaderSorted string
	// Label draws the titles that precede figures on the second line of rows. Second draws the
	// figures on that line that have no style of their own.
	Label, Second string
	// Selected applies to the cells of the selected row if the table has the keyboard,
	// SelectedBlurred if it does not.
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

// Glyphs holds the characters that a table draws itself. Each is one cell wide, except Asc and
// Desc, which may begin with a blank.
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

// ASCIIGlyphs returns the glyphs for terminals that can only show ASCII characters.
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
