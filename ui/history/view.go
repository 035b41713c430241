package history

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
)

// view is a view of the page, such as Day or Weeks. It draws the answer to its query.
type view interface {
	// query returns the query for the current selection, or nil if there is none.
	query() query
	// setAnswer stores a new answer. nil means that the last answer is discarded.
	setAnswer(answer any)
	// description describes in at most w cells what the view shows: the selected period, the kind of
	// contact or the search.
	description(w int) words.Text
	// searchHint says how to search. It returns the zero Text if the view needs no search.
	searchHint() words.Text
	// emptyText says why an answer is empty. It returns the zero Text if the answer is not empty.
	emptyText(answer any) words.Text
	// draw draws an answer in h lines of w cells. The top left corner is at x, y on the screen.
	draw(answer any, x, y, w, h int) []string
	// clearClicks makes the view ignore clicks until it is redrawn.
	clearClicks()
	// scrollToTop scrolls the view to its first line.
	scrollToTop()
	// scroller returns the scroller of the view's lines, or nil if there is none.
	scroller() *dialog.Scroller
	// handleKey handles a key press. It returns false if the view does not use the key.
	handleKey(msg tea.KeyPressMsg) bool
	// handleMouse handles a click or a turn of the mouse wheel.
	handleMouse(msg tea.Msg)
	// closeDetails closes the open record. It returns false if no record is open.
	closeDetails() bool
	// search opens the search form, if the view has one. After the search, retry sends the new
	// query.
	search(retry func() tea.Cmd) tea.Cmd
	// keys returns the key bindings that the footer shows. found means that there is an answer.
	keys(found bool) []key.Binding
	// exportTable returns an answer as a table that can be saved to a file.
	exportTable(answer any) exportTable
	// restyle discards everything that was drawn in the previous theme.
	restyle()
}
