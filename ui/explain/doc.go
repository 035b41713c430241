// Package explain contains the dialogs that explain what a board shows: the causes of
// an alert, the history of figures, and the report for a shift handover. They show
// current data, even while the snapshot is frozen, and change nothing.
package explain

import (
	"wallboard/internal/alert"
	"wallboard/ui/panes"
	"wallboard/ui/timeline"
)

// Board is the board whose figures are explained.
type Board interface {
	// Scene returns the scene that its pages are drawn from.
	Scene() *panes.Scene
	// ExplainAlert explains how an alert was raised. It fails if the alert has ended.
	ExplainAlert(id string) (alert.Explanation, error)
	// Shifts returns a reader of recorded shifts; nil: not available.
	Shifts() timeline.ShiftReader
}
