package panes

import (
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// PageSpec describes a page of the board. It either names a standard page or lists rows of panes.
type PageSpec struct {
	// Name is the text of the tab.
	Name string
	// Key is the key that opens the page. If Key is "", the number of the page opens it.
	Key string
	// Builtin is the name of a standard page (see [StandardPage]). If it is "", the page consists
	// of Rows.
	Builtin string
	// Rows are the rows of panes, from top to bottom.
	Rows []RowSpec

	title words.Text // name of a standard page for viewers; zero: Name
}

func (s *PageSpec) titleText() words.Text {
	if s.title.IsZero() {
		return words.Name(s.Name)
	}
	return s.title
}

// RowSpec describes a row of panes, which are side by side.
type RowSpec struct {
	// Weight is the row's share of the remaining height of the page; 0 means 1. Rows of panes such as
	// tiles, clocks and texts get at most the height that they can use.
	Weight int
	// Panes are the panes of the row, from left to right.
	Panes []PaneSpec
}

// PaneSpec describes a pane of a page. A kind of pane uses only the settings that [PaneKinds] lists
// for it, and ignores the rest.
type PaneSpec struct {
	// Kind is the name of a kind that [PaneKinds] returns, or of a kind for standard pages.
	Kind string
	// Title is the heading of the pane; "" means the default heading of the kind.
	Title string
	// Weight is the pane's share of the row's width; 0 means 1.
	Weight int
	// Priority determines which panes are omitted if there is not enough room. The pane with the
	// highest number is omitted first; among equals, the last pane. 0 means 1.
	Priority int

	// Channel is the channel that the pane shows; "" means the channel on the screen.
	Channel model.Channel
	// Site restricts the pane to the agents of a site; 0 means all sites.
	Site int64
	// Services, Groups and Campaigns restrict the pane to the records with these codes and to
	// agents assigned to them. Tiles and charts show the figures of these records. Empty lists do
	// not restrict the pane.
	Services, Groups, Campaigns []string
	// Filter restricts the rows, in the syntax that a viewer types after pressing "/".
	Filter string

	// Columns lists the IDs of the table's columns from left to right; empty means the default
	// columns.
	Columns []string
	// Sort is the ID of the column by which the table is sorted at first. If Sort is "", the table is
	// sorted as on the standard page or, if Columns lacks that column, by the first of Columns.
	Sort string
	// Descending is the direction of Sort. A nil Descending means the default direction of the
	// column.
	Descending *bool

	// KPIs lists the names of built-in or configured figures.
	KPIs []string
	// Digits is the size of the digits in tiles: "big", "normal", or "" for the largest size that
	// fits.
	Digits string
	// GroupBy is the grouping of agents: "state", "group", "profile" or "site". The empty
	// string means "state" on a map and no grouping in a table.
	GroupBy string

	// Target is the value at which a line is drawn across a chart. If Target is unknown, the line
	// is at the target of the figures.
	Target model.Float
	// Zone is the time zone of a clock; nil means the board's time zone.
	Zone *time.Location
	// Text is the content of a text pane.
	Text string
	// ScrollInterval is the interval at which text that does not fit moves by one cell. Its minimum and its
	// default are 250 ms.
	ScrollInterval time.Duration
	// Span is the period that a chart shows at first; 0 means one hour.
	Span time.Duration

	role paneRole // role of the pane on a standard page
}

// paneRole describes how a pane of a standard page differs from the panes of a configured page.
type paneRole struct {
	fillsPage        bool // the pane is the main part of its page
	usesLargeFigures bool // on a wall, the pane is drawn in large figures even beside other panes
	interactiveOnly  bool // the pane exists only on a board with an operator, not on a wall
	wallOnly         bool // the pane exists only on a wall
	fitsRows         bool // the pane is a table that takes no more lines than it has rows
}
