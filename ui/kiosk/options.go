package kiosk

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Options configures a kiosk.
type Options struct {
	// Pages are the names of the pages in the rotation. If Pages is empty, a board with the
	// standard pages shows those that can be read from a distance. Any other board then shows its
	// start page, followed by all other pages except Feed and, without a history, History.
	Pages []string
	// Dwell is how long a page stays on the screen; 0 means 20 s.
	Dwell time.Duration
	// DwellByPage replaces Dwell for single pages. The keys are the names of the pages.
	DwellByPage map[string]time.Duration
	// FrontLevel is the minimum level at which a situation brings its page to the front. Normal
	// means that no situation does so.
	FrontLevel alert.Level
	// IsActive reports whether the screen is on at a given time, in the time zone of the board. If
	// IsActive is nil, the screen is always on.
	IsActive func(time.Time) bool
	// FullNames allows the names of viewers on the screen, such as the name of the viewer who has
	// taken a situation over.
	FullNames bool
	// QuitKey is the key that ends the program, such as "ctrl+alt+q"; "": none.
	QuitKey string
}

// Setup holds the options of a kiosk, and properties of its board that the kiosk needs.
type Setup struct {
	*Options

	HasStandardPages bool   // the board has the standard pages
	StartPage        string // name of the start page; "": the page Wall
	HasNoHistory     bool   // there is no history, so the page History is empty
}

// Pages gives the kiosk access to the pages of the board. A page is identified by the index of its
// tab.
type Pages interface {
	Len() int
	// Current returns the index of the current page.
	Current() int
	Name(page int) string
	// Title returns the name of a page in the language of the board.
	Title(page int) string
	// FindPage returns the index of the page with a name, regardless of case. ok is false if there
	// is no such page.
	FindPage(name string) (page int, ok bool)
	// IsStandard reports whether a page is the standard page with the name standard.
	IsStandard(page int, standard string) bool
	// Subscriptions returns the subscriptions that deliver the figures of a page.
	Subscriptions(page int) []model.Op
	// ShowTop opens a page and closes its detail pages.
	ShowTop(page int)
}

// Names of the standard pages that the kiosk handles specially.
const (
	pageWall    = "Wall"
	pageFeed    = "Feed"
	pageHistory = "History"
	pageSites   = "Sites"
)

// distanceReadablePages lists the standard pages that can be read from a distance of several meters.
var distanceReadablePages = []string{pageWall, "Services", "Agents"}
