package table

import "github.com/charmbracelet/x/ansi"

// Styles are the escape sequences a table is drawn with; "" draws plainly.
// Sequences must only switch attributes on.
type Styles struct {
	// Base lies under everything.
	Base string
	// Header and HeaderSorted draw the titles.
	Header, HeaderSorted string
	// Label draws the title of a column that stands before each of its figures, on the
	// second line of rows, and Second figures there that have no style of their own.
	Label, Second string
	// Selected lies over the cells of the selected row; SelectedBlurred does
	// when the table has not the keyboard.
	Selected, SelectedBlurred string
	// Stray lies over the selection on a row that has left the filter.
	Stray string
	// Cursor draws the mark in front of the selected row.
	Cursor string
	// Flash lies over a cell that has just changed.
	Flash string
	// Empty draws the text of a table without rows.
	Empty string
	// Blank lies over blanks at the end of a line.
	Blank string
	// ScrollThumb and ScrollTrack draw the scroll bar.
	ScrollThumb, ScrollTrack string
}

// Glyphs are the characters a table draws itself; each is one cell wide.
type Glyphs struct {
	Ellipsis    string // ends what was cut
	Asc, Desc   string // direction of the sort, behind the title
	Cursor      string // in front of the selected row
	ScrollThumb string
	ScrollTrack string
	ScrollGap   int // blanks before the scroll bar, where it looks like text
}

// DefaultGlyphs returns the glyphs for terminals that speak UTF-8.
func DefaultGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "…", Asc: "▲", Desc: "▼", Cursor: "▌",
		ScrollThumb: "┃", ScrollTrack: "│",
	}
}

// ASCIIGlyphs returns the glyphs for all other terminals.
func ASCIIGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "~", Asc: " ^", Desc: " v", Cursor: ">", // a letter must not be read as one of the title
		ScrollThumb: "#", ScrollTrack: "|", ScrollGap: 1,
	}
}

// look is how a table is drawn, whatever is in it.
type look struct {
	styles    Styles
	glyphs    Glyphs
	method    ansi.Method
	blank     string // drawn in the place of figures; "": they are drawn
	emptyText string
}
