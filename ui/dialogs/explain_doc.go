package dialogs

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
)

// Board is the board whose figures are explained.
type Board interface {
	// Scene returns the scene that its pages are drawn from.
	Scene() *panes.Scene
	// ExplainAlert explains how an alert was raised. It fails if the alert has ended.
	ExplainAlert(id string) (alert.Explanation, error)
	// Shifts returns the function that reads recorded shifts; nil: not available.
	Shifts() plots.ShiftReader
	// Copy sends a text to the terminal's clipboard and tells the viewer; what names the text.
	Copy(say func(string) tea.Cmd, what, text string) tea.Cmd
}
