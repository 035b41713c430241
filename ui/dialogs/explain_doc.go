package dialogs

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
)

// Board is the part of a board that the dialogs use.
type Board interface {
	// Scene returns the scene that its pages are drawn from.
	Scene() *panes.Scene
	// ExplainAlert explains how an alert was raised. It fails if the alert has ended.
	ExplainAlert(id string) (alert.Explanation, error)
	// Shifts returns the function that reads recorded shifts, or nil if there is no recording.
	Shifts() plots.ShiftReader
	// Copy copies a text to the clipboard of the viewer's terminal. It tells the viewer through
	// say; what names the text in that message.
	Copy(say func(string) tea.Cmd, what, text string) tea.Cmd
}
