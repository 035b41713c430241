package history

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// view is one view of the page. What it draws is an answer to a question of its own.
type view interface {
	// question returns what there is to ask now, nil for nothing.
	question() question
	// took is told of another answer, nil: of none.
	took(answer any)
	// about says what is shown, in the line above it.
	about(w int) string
	// invites says how to ask for something, "" where the page asks by itself.
	invites() string
	// empty says why there is nothing to see in an answer, "" when there is.
	empty(answer any) string
	// draw draws an answer at a place on the screen.
	draw(answer any, x, y, w, h int) []string
	// forget has no mouse and no key find what is not drawn this time.
	forget()
	// top goes back to where the view begins.
	top()
	// lines are those that are scrolled, nil where none are.
	lines() *dialog.Scroller
	// press obeys a key, and reports whether it did.
	press(msg tea.KeyPressMsg) bool
	// point obeys the mouse.
	point(msg tea.Msg)
	// back closes what is open, and reports whether anything was.
	back() bool
	// search opens the form that asks what to look for. again asks for it.
	search(again func() tea.Cmd) tea.Cmd
	// keys are those that matter now; found reports whether there is an answer.
	keys(found bool) []key.Binding
	// sheet is an answer as a table for other programs.
	sheet(answer any) sheet
	restyle()
}
