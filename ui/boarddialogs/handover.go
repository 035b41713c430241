package boarddialogs

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/forecast"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// shiftLength is the length of the shift that a handover report covers. Samples of figures are kept
// for the same time.
const shiftLength = 8 * time.Hour

// HandoverInputs holds what [OpenHandover] needs besides the live snapshot.
type HandoverInputs struct {
	Site             string
	User             string                                           // the user who hands over the shift; "": unknown
	Alerts           handover.AlertSource                             // provides the alerts
	WatchedSince     time.Time                                        // when the board began to track situations, on the platform's clock
	AlertsPersist    bool                                             // alerts survive a restart of the board
	Comparer         handover.DayComparer                             // compares days; nil: there is no baseline
	NoComparerReason words.Text                                       // why Comparer is nil; zero: the history is not configured
	Zone             *time.Location                                   // time zone of the times in the report
	Actions          func(since time.Time) ([]handover.Action, error) // returns the actions since a time on the local clock
	Notes            []model.Note                                     // on the local clock; without the notes of a replayed recording
	Replayed         *handover.RecordingData                          // the replayed recording; nil: the live data
	MarkReader       handover.RecordingReader                         // reads the recording; nil: nothing is recorded
	MeasureFunc      analysis.EffectsFunc                             // measures the effects of actions; nil: not available
	SaveFile         dialog.Saver                                     // writes the report to a file; nil: it cannot be saved
	Sender           handover.Sender                                  // sends the report; nil: it cannot be sent
}

// OpenHandover writes the handover report of the shift so far and shows it in a dialog. The report
// contains live data, even while the snapshot is frozen.
func OpenHandover(dialogs *dialog.Stack, sc *panes.Scene, input HandoverInputs) tea.Cmd {
	report, l := input.report(sc), dialogs.Look().Format.Words
	s := &dialog.Sheet[string]{
		Dialogs: dialogs, Name: words.DialogHandover().In(l), EmptyText: words.DialogHandoverEmpty().In(l),
		Read: func(ctx context.Context) (string, error) {
			r := report
			input.addActions(&r, l)
			if input.Replayed == nil {
				r.ReadIncidents(ctx, input.MarkReader)
			}
			if r.BaselineNote = input.NoComparerReason; input.Comparer != nil || r.BaselineNote.IsZero() {
				r.Baseline, r.BaselineNote = handover.ReadBaseline(ctx, input.Comparer, r.At)
			}
			if err := r.MeasureEffects(ctx, input.MeasureFunc); err != nil {
				addOutcomeNote(&r, err, l)
			}
			return handover.Markdown(r), nil
		},
		Draw: markdownLines,
	}
	if input.SaveFile != nil {
		name := "handover-" + report.At.Format("2006-01-02-1504") + ".md"
		s.Keys = []dialog.SheetKey[string]{{Key: "e", Description: words.DialogKeySaveAs(name).In(l), Run: func(text string) tea.Cmd {
			return dialog.Save(dialogs, input.SaveFile, name, []byte(text))
		}}}
	}
	if input.Sender != nil {
		s.Keys = append(s.Keys, dialog.SheetKey[string]{Key: "s", Description: words.DialogKeySend().In(l), Problem: func() string {
			if len(input.Sender.Recipients()) == 0 {
				return words.DialogNoRecipient().In(l)
			}
			return ""
		}, Run: func(text string) tea.Cmd {
			return confirmSend(dialogs, input.Sender, handover.NewDocument(&report, text))
		}})
	}
	return dialogs.Open(s)
}

// confirmSend asks whether to send the report d to all recipients. If the viewer confirms, it opens a
// dialog that sends the report and shows the result for each recipient.
func confirmSend(dialogs *dialog.Stack, sender handover.Sender, d handover.Document) tea.Cmd {
	recipients, l := sender.Recipients(), dialogs.Look().Format.Words
	return dialogs.OpenQuestionDialog(dialog.Question{
		Name: words.DialogHandoverSend().In(l), Text: words.DialogHandoverSendTo(strings.Join(recipients, ", ")).In(l), YesLabel: words.DialogSend().In(l),
		OnYes: func(bool) tea.Cmd {
			return dialogs.Open(&dialog.Sheet[[]handover.Delivery]{
				Dialogs: dialogs, Name: words.DialogHandoverSend().In(l), Progress: words.DialogSending().In(l),
				Read: func(ctx context.Context) ([]handover.Delivery, error) { return sender.Send(ctx, d, recipients), nil },
				Draw: deliveryLines,
			})
		},
	})
}

// deliveryLines returns the lines with the results of sending a report to each recipient.
func deliveryLines(lk *style.Look, all []handover.Delivery, w int) []dialog.Line {
	var out []dialog.Line
	for _, one := range all {
		token := themes.OK
		if one.Err != nil {
			token = themes.Warn
		}
		out = append(out, dialog.ParagraphLines(lk, token, one.Text().In(lk.Format.Words), w)...)
	}
	return out
}

// report returns the part of the report that needs no files: live data and notes. While the
// snapshot is frozen, the report contains no forecasts.
func (s *HandoverInputs) report(sc *panes.Scene) handover.Report {
	at := sc.Floor.ToServerTime(sc.Floor.LocalNow).In(s.Zone)
	r := handover.New(handover.Input{
		Site: s.Site, Snapshot: sc.Floor.Newest, Alerts: s.Alerts, Situations: sc.Alarms.PresentSituations, Names: sc.Floor.Names,
		From: at.Add(-shiftLength), At: at, WatchedSince: s.WatchedSince.In(s.Zone), HasStoredAlerts: s.AlertsPersist, HandedOverBy: s.User, Words: sc.Look.Format.Words,
	})
	if sc.Forecaster != nil {
		sc.Forecaster.Observations().ReadBreaks(r.AddBreaks)
	}
	r.AddNotes(s.Notes)
	if !sc.Floor.FrozenAt.IsZero() {
		return r // forecasts would be made from the frozen snapshot
	}
	r.Forecasts = make(map[model.Channel]forecast.Forecast)
	for i := range r.Channels {
		c := &r.Channels[i]
		if f, ok := sc.Forecast("", c.Channel, &c.Floor.Calls); ok && f.ContactsKnown {
			r.Forecasts[c.Channel] = f
		}
	}
	return r
}

// addActions adds the actions of the shift to a report. If they are unknown, it adds a note with
// the reason, in the language l of the report.
func (s *HandoverInputs) addActions(r *handover.Report, l *words.Language) {
	switch {
	case s.Replayed != nil:
		r.AddMarks(*s.Replayed)
	case s.Actions == nil:
		r.ActionsNote = words.DialogNoActions().In(l)
	default:
		if err := r.AddActions(s.Actions); err != nil {
			r.ActionsNote = words.DialogActionsUnreadable(words.TextOf(err)).In(l)
		}
	}
}

// addOutcomeNote adds to a report that the effects of its actions are unknown because of err. l is the
// language of the report.
func addOutcomeNote(r *handover.Report, err error, l *words.Language) {
	note := words.DialogOutcomeUnknown(words.TextOf(err))
	if r.ActionsNote != "" {
		note = words.JoinSentences(words.Name(r.ActionsNote), note)
	}
	r.ActionsNote = note.In(l)
}
