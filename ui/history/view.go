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
	// took receives a new answer; nil: the answer is discarded.
	took(answer any)
	// about describes the subject in a line.
	about(w int) string
	// invites explains how to search; "" if the view requests data by itself.
	invites() string
	// empty explains an empty answer; "" if it is not empty.
	empty(answer any) string
	// draw draws an answer at a position of the screen.
	draw(answer any, x, y, w, h int) []string
	// forget clears the mouse positions of the last frame.
	forget()
	// top scrolls to the beginning.
	top()
	// lines returns the scrolled lines, nil if there are none.
	lines() *dialog.Scroller
	// press handles a key and reports whether it did.
	press(msg tea.KeyPressMsg) bool
	// point handles the mouse.
	point(msg tea.Msg)
	// back closes what is open and reports whether something was.
	back() bool
	// search opens the search form. again sends the request.
	search(again func() tea.Cmd) tea.Cmd
	// keys returns the keys for the footer; found reports whether there is an answer.
	keys(found bool) []key.Binding
	// sheet converts an answer to a table for export.
	sheet(answer any) sheet
	restyle()
}
