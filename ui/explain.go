package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/alerts"
	"wallboard/ui/explain"
	"wallboard/ui/panes"
	"wallboard/ui/timeline"
)

// explainBoard implements [explain.Board] for a scene.
type explainBoard struct{ scene *scene }

var _ explain.Board = explainBoard{}

// Scene implements [explain.Board].
func (e explainBoard) Scene() *panes.Scene { return e.scene.panes() }

// Shifts implements [explain.Board].
func (e explainBoard) Shifts() timeline.Reader { return e.scene.shifts() }

// ExplainAlert implements [explain.Board].
func (e explainBoard) ExplainAlert(id string) (alert.Explanation, error) {
	return e.scene.Alerts.ExplainAlert(id)
}

// shift returns the input of the handover report that the live snapshot does not contain.
func (sc *scene) shift() explain.Shift {
	common, shared := sc.Alerts.(alerts.Common)
	s := explain.Shift{
		Site: sc.Title, User: sc.User, Alerts: sc.Alerts, Started: sc.createdAt, AlertsPersist: shared && common.Keeps(),
		Zone: sc.look.Zone(), Actions: sc.PastActions, Save: sc.Save, Measure: sc.effects(),
	}
	if recording, ok := sc.Source.(Recording); ok {
		begins, _ := recording.Span()
		s.Replayed = &explain.Recording{Start: begins, Marks: recording.Marks()}
	}
	if sc.History != nil {
		s.Days, s.Zone = sc.History, sc.History.Location()
	}
	return s
}

// openHandover opens the handover report of the shift so far.
func (m *Model) openHandover() tea.Cmd {
	return explain.Handover(m.dialogs, m.scene.panes(), m.scene.shift())
}
