package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
	"wallboard/ui/replay"
)

// explainBoard implements [dialogs.Board] for a scene.
type explainBoard struct {
	scene     *scene
	attention *attention
}

var _ dialogs.Board = explainBoard{}

// Scene implements [dialogs.Board].
func (e explainBoard) Scene() *panes.Scene { return e.scene.panes() }

// Shifts implements [dialogs.Board].
func (e explainBoard) Shifts() plots.ShiftReader { return e.scene.recorded(nil).Shifts() }

// ExplainAlert implements [dialogs.Board].
func (e explainBoard) ExplainAlert(id string) (alert.Explanation, error) {
	return e.scene.Alerts.ExplainAlert(id)
}

// Copy implements [dialogs.Board].
func (e explainBoard) Copy(say func(string) tea.Cmd, what, text string) tea.Cmd {
	return e.attention.clipboard(say).text(what, text)
}

// clipboard returns the terminal's clipboard.
func (a *attention) clipboard(say func(string) tea.Cmd) clipboard {
	return clipboard{Environment: a.environment, Look: a.scene.look, Say: say}
}

// copySelected copies the sentence of the selected situation, or else the selected row.
func (a *attention) copySelected() tea.Cmd {
	clipboard := a.clipboard(a.say)
	if p := a.pages.page().Focused(); p != nil {
		if row, ok := a.pages.selectedSituation(); !ok || row == nil {
			return clipboard.row(p)
		}
	}
	if s := a.pages.situation(a.scene.panes()); s != nil {
		return clipboard.situation(s)
	}
	return a.say("There is nothing to copy here.")
}

// shift returns the input of the handover report that the live snapshot does not contain.
func (sc *scene) shift() dialogs.HandoverInputs {
	common, shared := sc.Alerts.(alerts.Common)
	s := dialogs.HandoverInputs{
		Site: sc.Title, User: sc.User, Alerts: sc.Alerts, Watched: sc.floor.Server(sc.createdAt), AlertsPersist: shared && common.Keeps(),
		Zone: sc.look.Zone(), Actions: sc.PastActions, Save: sc.Save, Measure: sc.recorded(nil).Effects(),
	}
	if shared && !common.Watched().IsZero() {
		s.Watched = common.Watched()
	}
	if recording, ok := sc.Source.(replay.Recording); ok {
		begins, _ := recording.Span()
		s.Replayed = &dialogs.Recording{Start: begins, Marks: recording.Marks()}
	}
	if sc.History != nil {
		s.Days, s.Zone = sc.History, sc.History.Location()
	}
	return s
}

// openHandover opens the handover report of the shift so far.
func (sc *scene) openHandover(stack *dialog.Stack, r *replay.Replay) tea.Cmd {
	shift := sc.shift()
	if r != nil {
		shift.Watched = r.Watched()
	}
	return dialogs.Handover(stack, sc.panes(), shift)
}
