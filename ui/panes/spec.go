package panes

import (
	"time"

	"wallboard/model"
)

// PageSpec describes a page of the board: a standard one by its name, or rows of panes.
type PageSpec struct {
	// Name is the text of the tab.
	Name string
	// Key is the key that opens the page; "" is the page's number.
	Key string
	// Builtin is the name of a standard page, see [StandardPage]; "": the page is made of Rows.
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

// PaneSpec describes one pane of a page. [PaneKinds] lists the settings that each kind
// uses; the others are ignored.
type PaneSpec struct {
	// Kind is one of [PaneKinds].
	Kind string
	// Title is the heading; "" means the default of the kind.
	Title string
	// Weight is the pane's share of the row's width; 0 means 1.
	Weight int
	// Priority decides which pane is left out if there is no room: the one with the
	// highest number, and among equals the last; 0 means 1.
	Priority int

	// Channel is the pane's own; "" means the one that the viewer has chosen.
	Channel model.Channel
	// Site keeps the agents of one site; 0 means all.
	Site int64
	// Services, Groups and Campaigns keep the records with these codes, and the agents assigned
	// to them. Tiles and charts show the figures of these records. Empty: all.
	Services, Groups, Campaigns []string
	// Filter is a text as typed after the key "/".
	Filter string

	// Columns lists the IDs of a table's columns from left to right; empty: the default
	// columns.
	Columns []string
	// Sort is the ID of the column that a table is first sorted by; "" means that of
	// the standard page.
	Sort string
	// Descending is the direction of Sort; nil means the column's own.
	Descending *bool

	// KPIs lists names of figures, built-in or configured.
	KPIs []string
	// Digits is the size of tiles: "big", "normal", or "" for as large as possible.
	Digits string
	// By is the grouping of agents: "state", "group", "profile", "site"; "" means state on a
	// map and no grouping in a table.
	By string

	// Target is a line across a chart; none: the target of its figures.
	Target model.Float
	// Zone is the time zone of a clock; nil means the board's.
	Zone *time.Location
	// Text is the content of a text pane.
	Text string
	// Speed is the interval at which a text that does not fit moves by a cell; at least 250 ms,
	// which is also the default.
	Speed time.Duration
	// Span is how much of the past a chart first shows; 0 means an hour.
	Span time.Duration

	role paneRole // the pane's role on a standard page
}

// paneRole modifies a pane of a standard page.
type paneRole struct {
	fillsPage    bool // fills the page
	large        bool // drawn in large figures on a wall, even beside other panes
	operatedOnly bool // only for an operated board, not for a wall
	wallOnly     bool // only for a wall
	fitsRows     bool // a table that takes no more lines than it has rows
}
