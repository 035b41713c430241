package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Page is one screen of the board, between the header and the footer. A page is a plain
// struct: only the root is a tea.Model.
type Page interface {
	// Crumb returns the name of the page for the line above it.
	Crumb(sc *Scene) string
	// Status returns the viewer's position, or another note about the page.
	Status(sc *Scene) style.Position
	// Subs returns the subscriptions that deliver the page's figures.
	Subs() []model.Op
	// Refresh takes the current snapshot. It runs before every view.
	Refresh(sc *Scene)
	// Restyle redraws everything in the scene's theme.
	Restyle(sc *Scene)
	// Update handles keys and the mouse.
	Update(sc *Scene, msg tea.Msg) tea.Cmd
	// View draws the page in h lines of exactly w cells. x and y are its position on
	// the screen, for the mouse.
	View(sc *Scene, x, y, w, h int) []string
	// Tables returns how many parts of the page can have the keyboard.
	Tables() int
	// Focused returns the table that has the keyboard, or nil.
	Focused() *RecordTable
	// PointedRecord returns the record under the cursor, on a channel; "" is the current
	// channel.
	PointedRecord() (kind snapshot.RecordKind, key string, channel model.Channel, ok bool)
	// ChartSubject returns the subject for a chart; ok is false if that is the floor. known is
	// false if the page has no own subject: the chart is then about the record under the
	// cursor.
	ChartSubject(sc *Scene) (k alert.Key, ok, known bool)
	// Carry takes over the viewer's position from the page that this one replaces.
	Carry(sc *Scene, previous Page)
	// Flashing reports whether a changed value is highlighted.
	Flashing() bool
}

// ShowStateMsg asks for the agents in a state, after a click on the legend of the overview.
type ShowStateMsg struct{ State string }

// ShowChartMsg asks for the chart of the floor, after a click on a tile of the overview.
type ShowChartMsg struct{}

// OpenMsg asks to open the details of a record.
type OpenMsg struct {
	Kind        snapshot.RecordKind
	Key         string
	Channel     model.Channel // the channel to open it on; "": the current one
	ShowActions bool          // also open the list of actions
}
