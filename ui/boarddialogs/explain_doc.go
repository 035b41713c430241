package boarddialogs

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/panes"
	"wallboard/ui/widgets"
)

// Board provides the data of a board to the dialogs.
type Board interface {
	// Scene returns the scene that the pages of the board are drawn from.
	Scene() *panes.Scene
	// ExplainAlert returns an explanation of how an alert was raised. It returns an error if the
	// alert has ended.
	ExplainAlert(id string) (alert.Explanation, error)
	// Shifts returns a function that reads recorded shifts, or nil if there is no recording.
	Shifts() widgets.ShiftReader
	// Copy copies text to the clipboard of the viewer's terminal and calls say to show a message.
	// what describes the text in the message.
	Copy(say func(string) tea.Cmd, what, text string) tea.Cmd
}
