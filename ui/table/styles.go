package table

import "github.com/charmbracelet/x/ansi"

// Styles holds the styles of a table as escape sequences. An empty sequence means plain text. A
// sequence must only switch attributes on.
type Styles struct {
	// Base is active below all other styles.
	Base string
	// Header and HeaderSorted apply to the titles of columns. HeaderSorted applies to the title of
	// the sort column.
	Header, HeaderSorted string
	// Label applies to the titles that precede figures on the second line of rows. SecondLine applies
	// to those figures on this line that have no style of their own.
	Label, SecondLine string
	// Selected applies to the cells of the selected row while the table has the keyboard focus.
	// Otherwise SelectedBlurred applies.
	Selected, SelectedBlurred string
	// Unmatched applies to a selected row that no longer matches the filter, in addition to the style
	// of the selection.
	Unmatched string
	// Cursor applies to the sign in front of the selected row.
	Cursor string
	// Mark applies to the sign of a marked row.
	Mark string
	// Flash applies to a cell that has just changed.
	Flash string
	// EmptyTableText applies to the text of a table without rows.
	EmptyTableText string
	// Blank applies to spaces at the end of a line.
	Blank string
	// ScrollThumb and ScrollTrack apply to the thumb and the track of the scroll bar.
	ScrollThumb, ScrollTrack string
}

// Glyphs holds the characters that a table draws in addition to its contents. Each is one cell
// wide, except Asc and Desc, which may begin with a space.
type Glyphs struct {
	Ellipsis    string // ends a text that was cut
	Asc, Desc   string // sort arrows behind the title for ascending and descending order
	Cursor      string // in front of the selected row
	Mark        string // drawn beside the marker of a marked row
	Pin         string // in front of a pinned row
	ScrollThumb string
	ScrollTrack string
	ScrollGap   int // number of spaces before the scroll bar, if its glyphs look like text
}

// DefaultGlyphs returns the glyphs for terminals that support UTF-8.
func DefaultGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "…", Asc: "▲", Desc: "▼", Cursor: "▌", Mark: "■", Pin: "↑",
		ScrollThumb: "┃", ScrollTrack: "│",
	}
}

// ASCIIGlyphs returns the glyphs for terminals that show only ASCII characters.
func ASCIIGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "~", Asc: " ^", Desc: " v", Cursor: ">", Mark: "#", Pin: "^", // the spaces separate letters from the title
		ScrollThumb: "#", ScrollTrack: "|", ScrollGap: 1,
	}
}

// appearance determines how a table looks, apart from its contents.
type appearance struct {
	styles    Styles
	glyphs    Glyphs
	method    ansi.Method
	blank     string // text that replaces figures; "": figures are drawn
	emptyText string
}
