package panes

import (
	"time"

	"wallboard/model"
)

// PageSpec is a page of the board: a standard one by its name, or rows of panes.
type PageSpec struct {
	// Name is what the tab says.
	Name string
	// Key goes to the page; "" is the page's number.
	Key string
	// Builtin is the name of a standard page, see [Pages]; "": the page is made
	// of Rows.
	Builtin string
	// Rows are from top to bottom.
	Rows []RowSpec
}

// RowSpec is a row of panes next to each other.
type RowSpec struct {
	// Weight is the row's share of the height that no row needs for itself; 0 is
	// 1. Rows of tiles, clocks and texts only grow as far as they have use for it.
	Weight int
	// Panes are from left to right.
	Panes []PaneSpec
}

// PaneSpec is one pane of a page. Which of its settings a kind takes, [PaneKinds]
// says; the others have no part in it.
type PaneSpec struct {
	// Kind is what the pane shows, one of [PaneKinds].
	Kind string
	// Title stands in the line above it; "" is one that the kind brings.
	Title string
	// Weight is the pane's share of the row's width; 0 is 1.
	Weight int
	// Priority says who gives way first where there is no room: the highest, and
	// among equals the last; 0 is 1.
	Priority int

	// Channel is the pane's own; "" is the one the viewer has chosen.
	Channel model.Channel
	// Site keeps the agents of one site; 0 is all.
	Site int64
	// Services, Groups and Campaigns keep what has one of their codes: agents who
	// serve one of them, services, tiles and lines of a chart of each. Empty: all.
	Services, Groups, Campaigns []string
	// Filter is a text as after the key "/".
	Filter string

	// Columns are the IDs of a table's columns from left to right; empty: those
	// that the viewer usually sees.
	Columns []string
	// Sort is the ID of the column that a table is sorted by at first; "" is that
	// of the standard page.
	Sort string
	// Descending is the direction of Sort; nil is the column's own.
	Descending *bool

	// KPIs are the names of figures, built-in or of one's own.
	KPIs []string
	// Digits is how large tiles are drawn: "big", "normal" or "" for as large as
	// there is room for.
	Digits string
	// By is what agents are grouped by: "state", "group", "profile"; "" is the state on
	// a map, and nothing in a table.
	By string

	// Target is a line across a chart; none: what its figures are measured by.
	Target model.Float
	// Zone is that of a clock; nil is the board's.
	Zone *time.Location
	// Text is that of a text pane.
	Text string
	// Speed is how long a text that does not fit stands still before it moves on
	// by a cell; 0 is 250 ms, and no text is faster.
	Speed time.Duration
	// Span is how much of the past a chart shows at first; 0 is an hour.
	Span time.Duration

	role role // on a standard page
}

// role is what a pane is on a standard page.
type role struct {
	whole bool // it fills a standard page
	afar  bool // at a wall it is in large figures, even beside others
	near  bool // it is for somebody who operates the board: not at a wall
	wall  bool // the opposite
	brief bool // a table that takes no more lines than it has rows
}
