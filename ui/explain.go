package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/report/ask"
	"wallboard/model"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/widgets"
)

// dialogBoard implements [boarddialogs.Board] with the data of a scene.
type dialogBoard struct {
	scene       *scene
	terminalEnv []string // environment variables of the terminal
}

var _ boarddialogs.Board = dialogBoard{}

// Scene implements [boarddialogs.Board].
func (e dialogBoard) Scene() *panes.Scene { return e.scene.paneScene() }

// Shifts implements [boarddialogs.Board].
func (e dialogBoard) Shifts() widgets.ShiftReader { return e.scene.archive(nil).Shifts() }

// ExplainAlert implements [boarddialogs.Board].
func (e dialogBoard) ExplainAlert(id string) (alert.Explanation, error) {
	return e.scene.Alerts.ExplainAlert(id)
}

// Copy implements [boarddialogs.Board].
func (e dialogBoard) Copy(say func(string) tea.Cmd, what, text string) tea.Cmd {
	return e.scene.clipboard(e.terminalEnv, say).CopyText(what, text)
}

// clipboard returns the clipboard of the terminal with the environment variables terminalEnv. The
// clipboard calls say to show messages in the footer.
func (sc *scene) clipboard(terminalEnv []string, say func(string) tea.Cmd) pages.Clipboard {
	return pages.Clipboard{Environment: terminalEnv, Look: sc.look, ShowMessage: say}
}

// handoverInputs returns the data that a handover report needs besides the live snapshot, such as
// the notes, the marks of the recording and the name of the site. r is nil on a live board.
func (sc *scene) handoverInputs(r *replay.Replay) boarddialogs.HandoverInputs {
	s := boarddialogs.HandoverInputs{
		Site: sc.Title, User: sc.Actions.User, Alerts: sc.Alerts, WatchedSince: sc.floor.ToServerTime(sc.createdAt), AlertsPersist: sc.Alerts.PersistsAlerts(),
		Zone: sc.look.Zone(), Actions: sc.Actions.PastActions, SaveFile: sc.Actions.Save, Sender: sc.Actions.Sender, MeasureFunc: sc.archive(nil).EffectFunc(true), MarkReader: sc.archive(nil).MarkReader(),
	}
	if r != nil {
		s.WatchedSince = r.TrackedSince()
	} else if since := sc.Alerts.TrackedSince(); !since.IsZero() {
		s.WatchedSince = since
	}
	for _, n := range sc.Alerts.Observations().Notes().All() {
		n.Text, n.By = sc.maskNames(n.Text), sc.maskNames(n.By)
		s.Notes = append(s.Notes, n)
	}
	if recording := sc.Archive.Replayed; recording != nil {
		s.Replayed = new(replay.RecordedShift(recording))
	}
	if s.NoComparerReason = sc.Archive.NoHistoryReason; sc.History != nil {
		s.Comparer, s.Zone = sc.History, sc.History.Location()
	}
	return s
}

// review returns the review of the selected situation, which may be open or ended. It returns nil
// if no situation is selected. r is nil on a live board.
func (a *alertHandler) review(r *replay.Replay) *boarddialogs.IncidentReview {
	sc, input := a.scene.paneScene(), a.scene.handoverInputs(r)
	if row, ok := a.pages.Selection().SituationRow(); ok && row != nil && row.Past() != nil {
		return boarddialogs.NewIncidentReview(sc, input, row.Past().IncidentSummary(), a.scene.Targets.Playbooks)
	}
	if s := a.pages.Selection().Situation(sc); s != nil {
		return boarddialogs.NewIncidentReview(sc, input, s.IncidentSummary(), a.scene.Targets.Playbooks)
	}
	return nil
}

// openHandover opens the dialog with the handover report of the current shift. r is nil on a live
// board.
func (sc *scene) openHandover(stack *dialog.Stack, r *replay.Replay) tea.Cmd {
	return boarddialogs.OpenHandover(stack, sc.paneScene(), sc.handoverInputs(r))
}

// answerer returns an Answerer for questions about the floor. It must be called from Update.
func (f *floorState) answerer() *boarddialogs.Answerer {
	h := &f.alertHandler
	return &boarddialogs.Answerer{
		Board: dialogBoard{f.scene, h.terminalEnv}, Dialogs: f.dialogs, Floor: f.answerData,
		OpenExplanation: func(s *situation.Situation) tea.Cmd { return h.openExplanation(s, s.Alerts) },
	}
}

// answerData returns the data from which questions are answered. It is live data even while the
// snapshot is frozen.
func (f *floorState) answerData() *ask.Responder {
	sc := f.scene
	present := &ask.Moment{
		Engine: sc.Alerts, Snapshot: sc.floor.Newest, Situations: sc.alerts.Alarms().PresentSituations.In(sc.look.Format.Words),
		At: sc.floor.ToServerTime(sc.floor.LocalNow), IsRecorded: sc.floor.Replay,
	}
	out := &ask.Responder{
		Present: func() *ask.Moment {
			if present.Snapshot == nil {
				return nil
			}
			return present
		},
		Names: sc.Names, Zone: sc.look.Zone(), Words: sc.look.Format.Words, MaskText: sc.Alerts.MaskText, EngineOptions: sc.localEngineOptions().HubOptions(),
		OpenRecording: sc.archive(f.replay).QuestionRecording(), IsGrowing: sc.Archive.IsPreparing,
		DayForecast: func(service string, ch model.Channel, c *model.ServiceCalls) forecast.Forecast {
			day, _ := sc.paneScene().Forecast(service, ch, c)
			return day
		},
	}
	if rules := sc.Archive.Rules; rules != nil {
		out.Rules = func() []alert.Rule { return rules().Rules }
	}
	return out
}
