package history

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// view is a view of the page, such as Day or Weeks. It draws the answer to its question.
type view interface {
	// question returns the question for the current selection, or nil if there is none.
	question() question
	// receive stores a new answer. A nil answer means that the last answer is discarded.
	receive(answer any)
	// subject describes what the view shows in at most w cells: the selected period, the kind of
	// contact or the search.
	subject(w int) string
	// searchHint returns a text about how to search. It returns "" if the view needs no search.
	searchHint() string
	// emptyText returns the reason why an answer is empty. It returns "" for an answer that is not
	// empty.
	emptyText(answer any) string
	// draw draws an answer in h lines of w cells. x and y are the position of the top left corner
	// on the screen.
	draw(answer any, x, y, w, h int) []string
	// clearClicks forgets the positions of the last frame, so that the view ignores clicks until it
	// is drawn again.
	clearClicks()
	// scrollToTop scrolls the view to its first line.
	scrollToTop()
	// scroller returns the scroller of the lines of the view, or nil if the view has no scroller.
	scroller() *dialog.Scroller
	// handleKey handles a key. It returns false if the view does not use the key.
	handleKey(msg tea.KeyPressMsg) bool
	// handleMouse handles a click or a message of the mouse wheel.
	handleMouse(msg tea.Msg)
	// closeOpen closes the open record. It returns false if no record is open.
	closeOpen() bool
	// search opens the search form, if the view has one. retry sends the question that results from
	// the search.
	search(retry func() tea.Cmd) tea.Cmd
	// keys returns the key bindings that the footer shows. found is true if there is an answer.
	keys(found bool) []key.Binding
	// sheet returns an answer in the form of a table that can be saved to a file.
	sheet(answer any) exportTable
	// restyle drops everything that was drawn with the previous theme.
	restyle()
}
