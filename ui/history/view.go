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
	// receive receives a new answer; nil: the answer is discarded.
	receive(answer any)
	// subject describes the subject in a line.
	subject(w int) string
	// searchHint explains how to search; "" if the view requests data by itself.
	searchHint() string
	// empty explains an empty answer; "" if it is not empty.
	empty(answer any) string
	// draw draws an answer at a position of the screen.
	draw(answer any, x, y, w, h int) []string
	// clearClicks clears the mouse positions of the last frame.
	clearClicks()
	// scrollToTop scrolls to the beginning.
	scrollToTop()
	// scroller returns the scrolled lines, nil if there are none.
	scroller() *dialog.Scroller
	// handleKey handles a key and reports whether it did.
	handleKey(msg tea.KeyPressMsg) bool
	// handleMouse handles the mouse.
	handleMouse(msg tea.Msg)
	// closeOpen closes the open record and reports whether there was one.
	closeOpen() bool
	// search opens the search form. repeat sends the request.
	search(retry func() tea.Cmd) tea.Cmd
	// keys returns the keys for the footer; found reports whether there is an answer.
	keys(found bool) []key.Binding
	// sheet converts an answer to a table for export.
	sheet(answer any) sheet
	restyle()
}
