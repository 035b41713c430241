package history

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// view is a view of the page, such as Day or Weeks. It draws the answer to its own question.
type view interface {
	// question returns the question that the current selection needs, or nil if there is none.
	question() question
	// receive takes a new answer, or nil when the last answer is discarded.
	receive(answer any)
	// subject describes the selected period, kind of contact or search in at most w cells.
	subject(w int) string
	// searchHint explains how to search. It returns "" if the view needs no search.
	searchHint() string
	// emptyText explains why an answer is empty. It returns "" for any other answer.
	emptyText(answer any) string
	// draw draws an answer in w cells and h lines, with the top left corner at position x, y of the
	// screen.
	draw(answer any, x, y, w, h int) []string
	// clearClicks forgets the mouse positions of the last frame, so that the view ignores clicks
	// until it is drawn again.
	clearClicks()
	// scrollToTop scrolls the view to its beginning.
	scrollToTop()
	// scroller returns the scroller of the view's lines, or nil if the view has none.
	scroller() *dialog.Scroller
	// handleKey handles a key and reports whether the view uses it.
	handleKey(msg tea.KeyPressMsg) bool
	// handleMouse handles a mouse message.
	handleMouse(msg tea.Msg)
	// closeOpen closes the open record and reports whether there was one.
	closeOpen() bool
	// search opens the search form, if the view has one. retry sends the question that results from
	// the search.
	search(retry func() tea.Cmd) tea.Cmd
	// keys returns the keys for the footer. found is true if there is an answer.
	keys(found bool) []key.Binding
	// sheet returns an answer as a table for export.
	sheet(answer any) exportTable
	// restyle redraws the view with a new theme.
	restyle()
}
