package panes

import (
	"time"

	"wallboard/model"
)

// PageSpec describes a page of the board: it names a standard page, or lists rows of panes.
type PageSpec struct {
	// Name is the text of the tab.
	Name string
	// Key is the key that opens the page. If it is "", the key is the page's number.
	Key string
	// Builtin is the name of a standard page (see [StandardPage]). If it is "", the page consists of Rows.
	Builtin string
	// Rows are listed from top to bottom.
	Rows []RowSpec
}

// RowSpec describes a row of panes side by side.
type RowSpec struct {
	// Weight is the row's share of the spare height; 0 means 1. Rows of tiles, clocks
	// and texts grow only as far as they can use the height.
	Weight int
	// Panes are listed from left to right.
	Panes []PaneSpec
}

// PaneSpec describes one pane of a page. A kind of pane uses only some settings, which [PaneKinds]
// lists, and ignores the others.
type PaneSpec struct {
	// Kind is the name of one of the [PaneKinds].
	Kind string
	// Title is the heading; "" means the default of the kind.
	Title string
	// Weight is the pane's share of the row's width; 0 means 1.
	Weight int
	// Priority decides which pane is left out if there is no room: the one with the
	// highest number, and among equals the last; 0 means 1.
	Priority int

	// Channel is the channel that the pane shows; "" means the channel that the viewer has chosen.
	Channel model.Channel
	// Site restricts the pane to the agents of one site; 0 means all.
	Site int64
	// Services, Groups and Campaigns restrict the pane to the records with these codes, and to
	// agents assigned to them. Tiles and charts show the figures of these records. Empty means all.
	Services, Groups, Campaigns []string
	// Filter is a filter in the form that a viewer types it after the key "/".
	Filter string

	// Columns lists the IDs of a table's columns from left to right; empty: the default
	// columns.
	Columns []string
	// Sort is the ID of the column that a table is first sorted by. If it is "", the column is that
	// of the standard page.
	Sort string
	// Descending is the direction of Sort. A nil Descending means the default direction of the column.
	Descending *bool

	// KPIs lists names of figures, built-in or configured.
	KPIs []string
	// Digits is the size of tiles: "big", "normal", or "" for as large as possible.
	Digits string
	// By is the grouping of agents: "state", "group", "profile", "site"; "" means state on a
	// map and no grouping in a table.
	By string

	// Target is the value of the line across a chart. If it is unknown, the line is at the target
	// of the figures.
	Target model.Float
	// Zone is the time zone of a clock; nil means the board's.
	Zone *time.Location
	// Text is the content of a text pane.
	Text string
	// Speed is the interval at which a text that does not fit moves by one cell. Both the minimum
	// and the default are 250 ms.
	Speed time.Duration
	// Span is the period that a chart shows at first; 0 means an hour.
	Span time.Duration

	role paneRole // what is special about the pane on a standard page
}

// paneRole says what is special about a pane of a standard page.
type paneRole struct {
	fillsPage    bool // the pane fills the page
	large        bool // on a wall, drawn in large figures even beside other panes
	operatedOnly bool // only on a board with an operator, not on a wall
	wallOnly     bool // only on a wall
	fitsRows     bool // a table that takes no more lines than it has rows
}
