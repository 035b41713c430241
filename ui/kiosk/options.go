package kiosk

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Options configures a kiosk.
type Options struct {
	// Pages are the names of the pages in rotation. If it is nil, a board with the standard pages
	// shows those that are readable from a distance; other boards show the start page and then all
	// others except Feed and, without history, History.
	Pages []string
	// Dwell is how long a page stays; 0 means 20 s.
	Dwell time.Duration
	// DwellByPage overrides Dwell by page name.
	DwellByPage map[string]time.Duration
	// FrontLevel is the minimum level of situations that bring their page to the front; Normal:
	// none.
	FrontLevel alert.Level
	// IsActive reports whether the screen is on at a time in the board's time zone; nil:
	// always.
	IsActive func(time.Time) bool
	// FullNames is true if names may be shown, such as the name of the viewer who has taken over a
	// situation.
	FullNames bool
	// QuitKey is the key that quits, such as "ctrl+alt+q"; "": none.
	QuitKey string
}

// Setup holds the options and facts about the board.
type Setup struct {
	*Options

	HasStandardPages bool   // the board has the standard pages
	StartPage        string // first page; "": the page Wall
	NoHistory        bool   // the page History is empty
}

// Pages gives access to the board's pages by tab index.
type Pages interface {
	Len() int
	// Current returns the current page.
	Current() int
	Name(page int) string
	// Named returns the page with a name, ignoring case.
	Named(name string) (page int, ok bool)
	// IsStandard reports whether a page is the standard page with a name.
	IsStandard(page int, standard string) bool
	// Subs returns the subscriptions that a page uses.
	Subs(page int) []model.Op
	// ShowTop opens a page, scrolled to its top.
	ShowTop(page int)
}

// Standard pages with special treatment.
const (
	pageWall    = "Wall"
	pageFeed    = "Feed"
	pageHistory = "History"
	pageSites   = "Sites"
)

// farPages lists the standard pages that are readable from some meters away.
var farPages = []string{pageWall, "Services", "Agents"}
