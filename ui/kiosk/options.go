package kiosk

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// Options say how a kiosk shows the pages of a board.
type Options struct {
	// Pages are the names of the pages to rotate; nil: of the standard pages those that
	// are made to be read from afar, of others the start page, then the rest but the
	// feed's, and the history's where there is none.
	Pages []string
	// Dwell is how long a page stays; 0 is 20 s.
	Dwell time.Duration
	// Dwells is how long a page stays instead, by its name in lower case.
	Dwells map[string]time.Duration
	// Front is the lowest level of an alert that brings the page about it to the
	// front; Normal: none does.
	Front alert.Level
	// Active reports whether the board is to be seen at a time, of the board's time
	// zone; nil: always.
	Active func(time.Time) bool
	// Quit is the key that ends the board, such as "ctrl+alt+q"; "": none does.
	Quit string
}

// Setup is what a kiosk goes by: its options, and what the board knows besides.
type Setup struct {
	*Options

	Standard  bool   // the board has the standard pages, none of its own
	Start     string // the page to begin with; "": the one that is made for walls
	NoHistory bool   // the page of the history has nothing to show
}

// Pages are the pages that a kiosk turns, by their places among the tabs.
type Pages interface {
	Len() int
	// Current is the page that is shown.
	Current() int
	Name(page int) string
	// Named returns the page with a name, whatever its case.
	Named(name string) (page int, ok bool)
	// Is reports whether a page is the standard one with a name.
	Is(page int, standard string) bool
	// Subs returns the subscriptions whose figures a page shows.
	Subs(page int) []model.Op
	// ShowTop goes to a page at its beginning.
	ShowTop(page int)
}

// Standard pages that a kiosk treats otherwise than others.
const (
	pageWall    = "Wall"
	pageFeed    = "Feed"
	pageHistory = "History"
	pageSites   = "Sites"
)

// afar are the standard pages with figures that can be read from some metres away.
var afar = []string{pageWall, "Services", "Agents"}
