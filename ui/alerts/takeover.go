package alerts

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// NoAlertReason returns a message that tells the viewer why there is no alert about a record. title
// is the title of the record.
func (w *BoardAlerts) NoAlertReason(k alert.Key, title string, lk *style.Look) string {
	text := words.AlertsNone(title)
	for _, u := range w.engine.SmallSampleViolations(k) {
		text = smallSampleText(&u, lk)
	}
	return lk.Translate(text)
}

// smallSampleText returns a message about a rule that a record violates without raising an alert,
// because the record has too few calls.
func smallSampleText(u *alert.SmallSampleViolation, lk *style.Look) words.Text {
	figure := func(format alert.Format, f model.Figure) string { return string(lk.Format.KPI(nil, format.Unit(), f)) }
	value, calls := figure(u.Format, u.Value), figure(alert.Number, u.Calls)
	if u.IsEnough() {
		return words.AlertsTooFewWrong(u.Rule, value, calls)
	}
	return words.AlertsTooFew(u.Rule, value, calls, u.MinCalls)
}

// TakeOver opens a form that takes over the most urgent alert that no viewer has taken over yet. If
// all alerts have been taken over, the form changes the note of the most urgent alert. user is the
// name of the viewer. If user is "", the form asks for the name.
func (w *BoardAlerts) TakeOver(dialogs *dialog.Stack, alerts []alert.Alert, user string, zone *time.Location) tea.Cmd {
	a := alerts[0]
	for _, other := range alerts {
		if other.Ack == (alert.Ack{}) {
			a = other
			break
		}
	}
	d := w.takeOverForm(dialogs, alerts, user, zone)
	d.Remark = func() string {
		remark := words.AlertsRemark(a.Text)
		if a.Level == alert.Critical {
			remark = words.AlertsRemarkCritical(a.Text)
		}
		return dialogs.Look().Translate(words.JoinSentences(remark, w.visibilityText()))
	}
	d.OnSubmit = func() tea.Cmd { return w.submitTakeOver(dialogs, d, a) }
	return dialogs.Open(d)
}

// TakeOverAll opens a form that takes over all alerts with the same note. user is the name of the
// viewer. If user is "", the form asks for the name.
func (w *BoardAlerts) TakeOverAll(dialogs *dialog.Stack, alerts []alert.Alert, user string, zone *time.Location) tea.Cmd {
	d := w.takeOverForm(dialogs, alerts, user, zone)
	d.Remark = func() string {
		return dialogs.Look().Translate(words.JoinSentences(words.AlertsRemarkAll(words.AlertsCount(len(alerts))), w.visibilityText()))
	}
	d.OnSubmit = func() tea.Cmd { return w.submitTakeOverAll(dialogs, d, alerts) }
	return dialogs.Open(d)
}

// takeOverForm returns the form for taking over alerts.
func (w *BoardAlerts) takeOverForm(dialogs *dialog.Stack, alerts []alert.Alert, user string, zone *time.Location) *dialog.Form {
	lk := dialogs.Look()
	fields := []dialog.Field{
		{ID: "by", Label: lk.Translate(words.AlertsYourName()), Value: user, Required: true, MaxLength: model.MaxName},
		{ID: "note", Label: lk.Translate(words.AlertsNote()), Hint: lk.Translate(words.AlertsNoteHint())},
	}
	if user != "" {
		fields[0].ReadOnly = true
	}
	return dialog.NewForm(dialogs, lk.Translate(words.AlertsTakeOverTitle(w.titleOrEverything(alerts))), lk.Translate(words.AlertsTakeOverButton()), fields, zone)
}

// visibilityText returns a sentence about which boards show that an alert was taken over.
func (w *BoardAlerts) visibilityText() words.Text {
	if w.visibleToOthers {
		return words.AlertsVisible()
	}
	return words.AlertsNotVisible()
}

// submitTakeOver takes over an alert with the name and the note in the form d. If this fails, the
// form shows the reason.
func (w *BoardAlerts) submitTakeOver(dialogs *dialog.Stack, d *dialog.Form, a alert.Alert) tea.Cmd {
	takenOver, problem := w.takeOverAlert(d, a)
	if !problem.IsZero() {
		return d.ShowMessage(dialogs.Look().Translate(problem))
	}
	dialogs.Close(d)
	w.Refresh()
	return dialogs.ShowMessage(dialogs.Look().Translate(words.AlertsTaken(takenOver.Ack.By, takenOver.Text)))
}

// submitTakeOverAll takes over the alerts with the name and the note in the form d. It shows which
// alerts could not be taken over.
func (w *BoardAlerts) submitTakeOverAll(dialogs *dialog.Stack, d *dialog.Form, alerts []alert.Alert) tea.Cmd {
	taken := 0
	var problems []words.Text
	for _, a := range alerts {
		if _, problem := w.takeOverAlert(d, a); !problem.IsZero() {
			problems = append(problems, words.AlertsProblem(w.title([]alert.Alert{a}), problem))
			continue
		}
		taken++
	}
	if taken == 0 {
		return d.ShowMessage(dialogs.Look().Translate(problems[0]))
	}
	dialogs.Close(d)
	w.Refresh()
	text := words.AlertsTakenMany(words.AlertsCount(taken), d.Fields.Value("by"))
	return dialogs.ShowMessage(dialogs.Look().Translate(words.JoinSentences(append([]words.Text{text}, problems...)...)))
}

// takeOverAlert takes over an alert with the name and the note in the form d. problem is a sentence
// that says why this was not possible, or the zero Text after success.
func (w *BoardAlerts) takeOverAlert(d *dialog.Form, a alert.Alert) (takenOver alert.Alert, problem words.Text) {
	if err := w.recordAction(&Action{Kind: TakeOver, UserName: d.Fields.Value("by"), RecordNames: w.title([]alert.Alert{a}).In(nil), Note: d.Fields.Value("note")}); err != nil {
		return a, words.AlertsNotTaken(words.TextOf(err))
	}
	takenOver, err := w.engine.Acknowledge(a.ID, d.Fields.Value("by"), d.Fields.Value("note"), w.floor.ToServerTime(w.floor.LocalNow))
	switch {
	case errors.Is(err, alert.ErrNotActive):
		return a, words.AlertsEnded()
	case errors.Is(err, alert.ErrNoName):
		return a, words.AlertsNoName()
	case err != nil:
		return a, words.AlertsNotStored(words.TextOf(err))
	}
	if w.recordEvent != nil {
		w.recordEvent(takenOver.AckEvent())
	}
	return takenOver, words.Text{}
}
