package kiosk

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Options configures a kiosk.
type Options struct {
	// Pages are the names of the pages in rotation. Without names, a board with the standard pages
	// shows those that are readable from a distance. Any other board then shows its start page,
	// followed by all other pages except Feed and, without history, History.
	Pages []string
	// Dwell is how long a page stays on the screen; 0 means 20 s.
	Dwell time.Duration
	// DwellByPage replaces Dwell for single pages, by page name.
	DwellByPage map[string]time.Duration
	// FrontLevel is the minimum level of a situation that brings its page to the front. Normal
	// means that no situation does.
	FrontLevel alert.Level
	// IsActive reports whether the screen is on at a time in the board's time zone. It is nil if
	// the screen is always on.
	IsActive func(time.Time) bool
	// FullNames allows names of viewers on the screen, such as of the viewer who has taken a
	// situation over.
	FullNames bool
	// QuitKey is the key that ends the program, such as "ctrl+alt+q"; "": none.
	QuitKey string
}

// Setup holds the options of a kiosk and facts about its board.
type Setup struct {
	*Options

	HasStandardPages bool   // the board has the standard pages
	StartPage        string // name of the start page; "": the page Wall
	NoHistory        bool   // there is no history, so that the page History is empty
}

// Pages gives access to the board's pages. A page is identified by the index of its tab.
type Pages interface {
	Len() int
	// Current returns the current page.
	Current() int
	Name(page int) string
	// Named returns the page with a name, ignoring case. ok is false if there is none.
	Named(name string) (page int, ok bool)
	// IsStandard reports whether a page is the standard page that is named standard.
	IsStandard(page int, standard string) bool
	// Subs returns the subscriptions that a page uses.
	Subs(page int) []model.Op
	// ShowTop opens a page, scrolled to its top.
	ShowTop(page int)
}

// Names of the standard pages that the kiosk treats specially.
const (
	pageWall    = "Wall"
	pageFeed    = "Feed"
	pageHistory = "History"
	pageSites   = "Sites"
)

// farPages lists the standard pages that are readable from some meters away.
var farPages = []string{pageWall, "Services", "Agents"}
