// Package explain is the dialogs that take apart what a board shows: why a record is
// red, how its figures have been, and the shift so far, for who takes over. They are
// drawn from what is known now, frozen picture or not, and change nothing.
package explain

import (
	"wallboard/alert"
	"wallboard/ui/panes"
	"wallboard/ui/shifts"
)

// Board is the board whose figures are explained.
type Board interface {
	// Scene is what its pages are drawn from now.
	Scene() *panes.Scene
	// ExplainAlert says how an alert came about. It fails when the alert is over.
	ExplainAlert(id string) (alert.Explanation, error)
	// Shifts tells what agents did, in what was recorded; nil: nobody knows, or is to know.
	Shifts() shifts.Reader
}
