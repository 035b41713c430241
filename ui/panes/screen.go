package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Page is a page of the board, which fills the screen between the header and the footer. A page is
// a plain struct: only the root of the program is a tea.Model.
type Page interface {
	// Crumb returns the name of the page for the line above the page.
	Crumb(sc *Scene) string
	// Status returns the viewer's position in the rows, or another note about the page.
	Status(sc *Scene) style.Position
	// Subs returns the subscriptions that deliver the page's figures.
	Subs() []model.Op
	// Refresh updates the page from the current snapshot. It runs before every view.
	Refresh(sc *Scene)
	// Restyle prepares the page for another theme, which the scene contains.
	Restyle(sc *Scene)
	// Update handles keys and the mouse.
	Update(sc *Scene, msg tea.Msg) tea.Cmd
	// View draws the page in h lines of exactly w cells. x and y are its position on
	// the screen, for the mouse.
	View(sc *Scene, x, y, w, h int) []string
	// Tables returns how many parts of the page can have the keyboard.
	Tables() int
	// Focused returns the table that has the keyboard, or nil if none has.
	Focused() *RecordTable
	// PointedRecord returns the record under the cursor and its channel. The channel "" is the
	// current one. ok is false if there is no such record.
	PointedRecord() (kind snapshot.RecordKind, key string, channel model.Channel, ok bool)
	// ChartSubject returns the record that a chart of the page is about. ok is false if the chart
	// is about the floor. known is false if the page has no subject of its own: the chart is then
	// about the record under the cursor.
	ChartSubject(sc *Scene) (k alert.Key, ok, known bool)
	// Carry takes over the viewer's position from the page that this page replaces.
	Carry(sc *Scene, previous Page)
	// Flashing reports whether a changed value is highlighted.
	Flashing() bool
}

// HeadedPage is a page whose first line may be a heading, so that it needs no title above it.
type HeadedPage interface {
	HasHeading(sc *Scene) bool
}

// ShowStateMsg asks the board to show the agents in a state, after a click on the legend of the overview.
type ShowStateMsg struct{ State string }

// ShowChartMsg asks the board to open the chart of the floor, after a click on a tile of the overview.
type ShowChartMsg struct{}

// OpenMsg asks the board to open the details of a record.
type OpenMsg struct {
	Kind        snapshot.RecordKind
	Key         string
	Channel     model.Channel // channel of the record; "": the current one
	ShowActions bool          // also open the list of actions
}
