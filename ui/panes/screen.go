package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// Page is a page of the board. It fills the screen between the header and the footer. It is not a
// tea.Model, because only the root of a program is.
type Page interface {
	// Breadcrumb returns the name of the page for the path to the page, which is shown above the page.
	Breadcrumb(sc *Scene) string
	// Status returns the viewer's position in the rows, or another note about the page.
	Status(sc *Scene) style.HeadingStatus
	// Subscriptions returns the subscriptions that deliver the page's figures.
	Subscriptions() []model.Op
	// Refresh updates the page from the current snapshot. It is called before every View.
	Refresh(sc *Scene)
	// Restyle drops everything drawn with the previous theme. The scene contains the new theme.
	Restyle(sc *Scene)
	// Update handles the keys and mouse messages that the board passes on to the page.
	Update(sc *Scene, msg tea.Msg) tea.Cmd
	// View draws the page in h lines of exactly w cells. x and y are the position of the page on
	// the screen, for mouse clicks.
	View(sc *Scene, x, y, w, h int) []string
	// FocusableCount returns how many parts of the page can have the keyboard focus.
	FocusableCount() int
	// Focused returns the table that has the keyboard focus, or nil if there is none.
	Focused() *RecordTable
	// RecordUnderCursor returns the record under the cursor and its channel, where "" means the current
	// channel. ok is false if there is no such record.
	RecordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool)
	// ChartSubject returns the record for a chart of the page. ok is false if the chart shows the
	// floor. known is false if the page does not determine a subject, so that the chart shows the
	// record under the cursor.
	ChartSubject(sc *Scene) (k alert.Key, ok, known bool)
	// CopyStateFrom copies the filters, the sort orders and the selection of the page that this page
	// replaces.
	CopyStateFrom(sc *Scene, previous Page)
	// IsFlashing reports whether the page currently highlights a changed value.
	IsFlashing() bool
}

// HeadedPage is a page whose first line may be a heading. Then it needs no title above it.
type HeadedPage interface {
	HasHeading(sc *Scene) bool
}

// ShowStateMsg asks the board to show the agents in a state. It is sent after a click on the legend
// of the overview.
type ShowStateMsg struct{ State string }

// ShowChartMsg asks the board to open the chart of the floor. A click on a tile sends it.
type ShowChartMsg struct{}

// OpenMsg asks the board to open the detail page of a record.
type OpenMsg struct {
	Kind        floorview.RecordKind
	Key         string
	Channel     model.Channel // channel of the record; "": the channel on the screen
	ShowActions bool          // also open the menu of actions
}
