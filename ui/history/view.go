package history

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// view is a view of the page. It draws the answer to its own request.
type view interface {
	// question returns the request for the current selection, nil for none.
	question() question
	// receive receives a new answer, or nil when the last answer is discarded.
	receive(answer any)
	// subject describes the selected period, kind or search in a line of w cells.
	subject(w int) string
	// searchHint explains how to search; "" if the view does not need a search.
	searchHint() string
	// emptyText explains an empty answer; "" for other answers.
	emptyText(answer any) string
	// draw draws an answer at a position of the screen.
	draw(answer any, x, y, w, h int) []string
	// clearClicks clears the mouse positions of the last frame.
	clearClicks()
	// scrollToTop scrolls to the beginning.
	scrollToTop()
	// scroller returns the scroller of the view, nil if there is none.
	scroller() *dialog.Scroller
	// handleKey handles a key and reports whether it did.
	handleKey(msg tea.KeyPressMsg) bool
	// handleMouse handles the mouse.
	handleMouse(msg tea.Msg)
	// closeOpen closes the open record and reports whether there was one.
	closeOpen() bool
	// search opens the search form. retry sends the request for the new search.
	search(retry func() tea.Cmd) tea.Cmd
	// keys returns the keys for the footer; found reports whether there is an answer.
	keys(found bool) []key.Binding
	// sheet converts an answer to a table for export.
	sheet(answer any) exportTable
	// restyle applies a new theme.
	restyle()
}
