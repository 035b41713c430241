package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/report/handover"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
	"wallboard/ui/replay"
)

// dialogBoard implements [dialogs.Board] for a scene.
type dialogBoard struct {
	scene        *scene
	alertHandler *alertHandler
}

var _ dialogs.Board = dialogBoard{}

// Scene implements [dialogs.Board].
func (e dialogBoard) Scene() *panes.Scene { return e.scene.paneScene() }

// Shifts implements [dialogs.Board].
func (e dialogBoard) Shifts() plots.ShiftReader { return e.scene.archive(nil).Shifts() }

// ExplainAlert implements [dialogs.Board].
func (e dialogBoard) ExplainAlert(id string) (alert.Explanation, error) {
	return e.scene.Alerts.ExplainAlert(id)
}

// Copy implements [dialogs.Board].
func (e dialogBoard) Copy(say func(string) tea.Cmd, what, text string) tea.Cmd {
	return e.alertHandler.clipboard(say).copyText(what, text)
}

// clipboard returns the terminal's clipboard. It calls say to show its messages.
func (a *alertHandler) clipboard(say func(string) tea.Cmd) clipboard {
	return clipboard{Environment: a.terminalEnv, Look: a.scene.look, Say: say}
}

// copySelected copies the description of the selected situation, or else the selected row.
func (a *alertHandler) copySelected() tea.Cmd {
	clipboard := a.clipboard(a.say)
	if p := a.pages.currentPage().Focused(); p != nil {
		if row, ok := a.pages.selectedSituation(); !ok || row == nil {
			return clipboard.copyRow(p)
		}
	}
	if s := a.pages.situation(a.scene.paneScene()); s != nil {
		return clipboard.copySituation(s)
	}
	return a.say("There is nothing to copy here.")
}

// handoverInputs returns the data for the handover report that is not in the live snapshot.
func (sc *scene) handoverInputs() dialogs.HandoverInputs {
	common, shared := sc.Alerts.(alerts.CachingEngine)
	s := dialogs.HandoverInputs{
		Site: sc.Title, User: sc.User, Alerts: sc.Alerts, WatchedSince: sc.floor.ToServerTime(sc.createdAt), AlertsPersist: shared && common.KeepsAlerts(),
		Zone: sc.look.Zone(), Actions: sc.PastActions, Save: sc.Save, Measure: sc.archive(nil).Effects(),
	}
	if shared && !common.WatchedSince().IsZero() {
		s.WatchedSince = common.WatchedSince()
	}
	if shared {
		s.Notes = common.Notes().All()
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

// review returns the review of the selected situation, open or ended. It returns nil if none is
// selected, or if the board cannot save files. r is nil on a live board.
func (a *alertHandler) review(r *replay.Replay) *dialogs.IncidentReview {
	sc, input := a.scene.paneScene(), a.scene.handoverInputs()
	if r != nil {
		input.WatchedSince = r.WatchedSince()
	}
	if row, ok := a.pages.selectedSituation(); ok && row != nil && row.Past() != nil {
		return dialogs.NewIncidentReview(sc, input, handover.PastIncident(row.Past()), a.scene.Rules.Playbooks)
	}
	if s := a.pages.situation(sc); s != nil {
		return dialogs.NewIncidentReview(sc, input, handover.OpenIncident(s), a.scene.Rules.Playbooks)
	}
	return nil
}

// openHandover opens the handover report of the shift so far. r is nil on a live board.
func (sc *scene) openHandover(stack *dialog.Stack, r *replay.Replay) tea.Cmd {
	shift := sc.handoverInputs()
	if r != nil {
		shift.WatchedSince = r.WatchedSince()
	}
	return dialogs.OpenHandover(stack, sc.paneScene(), shift)
}
