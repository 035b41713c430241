package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/floor"
	"wallboard/ui/look"
)

// Page is one screen of the board, between the header and the footer. A page
// is a plain struct: only the root is a tea.Model.
type Page interface {
	// Crumb returns what the page is called in the line above it.
	Crumb(sc *Scene) string
	// Status says where the viewer is in it, or what it is measured by.
	Status(sc *Scene) look.Position
	// Subs returns the subscriptions whose figures the page shows.
	Subs() []model.Op
	// Refresh takes over what is shown now. It runs before every view.
	Refresh(sc *Scene)
	// Restyle redraws everything in the scene's theme.
	Restyle(sc *Scene)
	// Update obeys keys and the mouse.
	Update(sc *Scene, msg tea.Msg) tea.Cmd
	// View draws the page in lines of exactly w cells, h of them. x and y are
	// its place on the screen, for the mouse.
	View(sc *Scene, x, y, w, h int) []string
	// Tables returns how many parts of the page can have the keyboard.
	Tables() int
	// Focused returns the table that has the keyboard, nil if none has.
	Focused() *RecordTable
	// Pointed returns what the viewer points at, on a channel; "" is the one on the
	// screen.
	Pointed() (of floor.Kind, key string, on model.Channel, ok bool)
	// Charted returns what a chart should be about, ok is false for the floor;
	// known is false where what the viewer points at says so best.
	Charted(sc *Scene) (k alert.Key, ok, known bool)
	// Carry takes over where the viewer was on the page that this one follows.
	Carry(sc *Scene, from Page)
	// Flashing reports whether anything is highlighted because it changed.
	Flashing() bool
}

// OpenMsg asks for the drill-down of something.
type OpenMsg struct {
	Kind    floor.Kind
	Key     string
	Channel model.Channel // to show it on; "": the present one
	Act     bool          // with the list of what can be done
}
