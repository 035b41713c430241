package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/floor"
)

// pageID is a page's place among the tabs. The constants are the places of the
// standard pages where the configuration has no pages of its own.
type pageID int

const (
	pageOverview pageID = iota
	pageServices
	pageGroups
	pageAgents
	pageCampaigns
	pageAttendants
	pageAlerts
	pageHistory
	pageFeed
	pageWall

	numPages
)

// String returns the name of a standard page.
func (p pageID) String() string {
	return [...]string{
		"Overview", "Services", "Groups", "Agents", "Campaigns", "Attendants", "Alerts", "History", "Feed", "Wall",
	}[p]
}

// Pages returns the names of the standard pages, for a configuration that
// places them or names the first one.
func Pages() []string {
	names := make([]string, 0, numPages)
	for p := range numPages {
		names = append(names, p.String())
	}
	return names
}

// page is one screen of the board, between the header and the footer. A page
// is a plain struct: only the root is a tea.Model.
type page interface {
	// crumb returns what the page is called in the line above it.
	crumb(sc *scene) string
	// status says where the viewer is in it, or what it is measured by.
	status(sc *scene) standing
	// subs returns the subscriptions whose figures the page shows.
	subs() []model.Op
	// refresh takes over what is shown now. It runs before every view.
	refresh(sc *scene)
	// restyle redraws everything in the scene's theme.
	restyle(sc *scene)
	// update obeys keys and the mouse.
	update(sc *scene, msg tea.Msg) tea.Cmd
	// view draws the page in lines of exactly w cells, h of them. x and y are
	// its place on the screen, for the mouse.
	view(sc *scene, x, y, w, h int) []string
	// tables returns how many parts of the page can have the keyboard.
	tables() int
	// focused returns the table that has the keyboard, nil if none has.
	focused() *recordTable
	// pointed returns what the viewer points at, on a channel; "" is the one on the
	// screen.
	pointed() (of floor.Kind, key string, on model.Channel, ok bool)
	// charted returns what a chart should be about, ok is false for the floor;
	// known is false where what the viewer points at says so best.
	charted(sc *scene) (k alert.Key, ok, known bool)
	// carry takes over where the viewer was on the page that this one follows.
	carry(sc *scene, from page)
	// flashing reports whether anything is highlighted because it changed.
	flashing() bool
}

// openMsg asks for the drill-down of something. It names the thing, because
// the row under the cursor may be another one by the time it arrives.
type openMsg struct {
	kind    floor.Kind
	key     string
	channel model.Channel // to show it on; "": the present one
}

func open(k floor.Kind, key string, on model.Channel) tea.Cmd {
	return func() tea.Msg { return openMsg{k, key, on} }
}
