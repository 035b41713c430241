package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Page is a page of the board. It fills the screen between the header and the footer. A page is a
// struct and not a tea.Model, because only the root of a program is a tea.Model.
type Page interface {
	// Crumb returns the name of the page for the line above the page, which shows the path to the
	// page.
	Crumb(sc *Scene) string
	// Status returns the viewer's position in the rows, or another note about the page.
	Status(sc *Scene) style.HeadingStatus
	// Subs returns the subscriptions that deliver the page's figures.
	Subs() []model.Op
	// Refresh updates the page from the current snapshot. It is called before every View.
	Refresh(sc *Scene)
	// Restyle drops everything that was drawn with the previous theme. The scene contains the new
	// theme.
	Restyle(sc *Scene)
	// Update handles the keys and mouse messages that the board passes on to the page.
	Update(sc *Scene, msg tea.Msg) tea.Cmd
	// View draws the page in h lines of exactly w cells. x and y are the position of the page on
	// the screen, for mouse clicks.
	View(sc *Scene, x, y, w, h int) []string
	// Tables returns how many parts of the page can have the keyboard.
	Tables() int
	// Focused returns the table that has the keyboard, or nil if no table has it.
	Focused() *RecordTable
	// PointedRecord returns the record under the cursor and its channel. The channel "" means the
	// current channel. ok is false if there is no such record.
	PointedRecord() (kind snapshot.RecordKind, key string, channel model.Channel, ok bool)
	// ChartSubject returns the record that a chart of the page shows. ok is false if the chart
	// shows the floor. known is false if the page has no subject of its own, so that the chart
	// shows the record under the cursor.
	ChartSubject(sc *Scene) (k alert.Key, ok, known bool)
	// Carry takes over the filters, the sort orders and the selection from the page that this page
	// replaces.
	Carry(sc *Scene, previous Page)
	// Flashing reports whether a changed value is highlighted on the page at the moment.
	Flashing() bool
}

// HeadedPage is a page whose first line may be a heading, so that it needs no title above it.
type HeadedPage interface {
	HasHeading(sc *Scene) bool
}

// ShowStateMsg asks the board to show the agents in a state, after a click on the legend of
// the overview.
type ShowStateMsg struct{ State string }

// ShowChartMsg asks the board to open the chart of the floor. It is sent after a click on a tile of
// the overview.
type ShowChartMsg struct{}

// OpenMsg asks the board to open the detail page of a record.
type OpenMsg struct {
	Kind        snapshot.RecordKind
	Key         string
	Channel     model.Channel // channel of the record; "": the channel on the screen
	ShowActions bool          // also open the menu of actions
}
