package alerts

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// NoAlertReason returns a message that tells the viewer why there is no alert about a record. title
// is the title of the record.
func (w *BoardAlerts) NoAlertReason(k alert.Key, title string, lk *style.Look) string {
	text := "No alert for " + title + "."
	for _, u := range w.engine.Unjudged(k) {
		text = unjudgedText(&u, lk)
	}
	return text
}

// unjudgedText returns a message about a rule that a record violates without raising an alert,
// because the record has too few calls.
func unjudgedText(u *alert.SmallSampleViolation, lk *style.Look) string {
	figure := func(format alert.Format, f model.Figure) string { return string(lk.Format.KPI(nil, format.Unit(), f)) }
	text := u.Rule + " " + figure(u.Format, u.Value) + " of " + figure(alert.Number, u.Calls) + " calls: "
	if u.IsEnough() {
		return text + "too few went wrong to judge, so it is no alert."
	}
	return text + "too few to judge (" + lk.Count(u.MinCalls) + " needed)."
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
		until := "it ends or becomes critical"
		if a.Level == alert.Critical {
			until = "it ends"
		}
		return a.Text + ". It goes below the others until " + until + ". " + w.visibilityText()
	}
	d.OnSubmit = func() tea.Cmd { return w.submitTakeOver(dialogs, d, a) }
	return dialogs.Open(d)
}

// TakeOverAll opens a form that takes over all alerts with the same note. user is the name of the
// viewer. If user is "", the form asks for the name.
func (w *BoardAlerts) TakeOverAll(dialogs *dialog.Stack, alerts []alert.Alert, user string, zone *time.Location) tea.Cmd {
	d := w.takeOverForm(dialogs, alerts, user, zone)
	d.Remark = func() string {
		return phrases.Count(len(alerts), "alert", "alerts") + ". Each goes below the others until it ends, or becomes critical. " + w.visibilityText()
	}
	d.OnSubmit = func() tea.Cmd { return w.submitTakeOverAll(dialogs, d, alerts) }
	return dialogs.Open(d)
}

// takeOverForm returns the form for taking over alerts.
func (w *BoardAlerts) takeOverForm(dialogs *dialog.Stack, alerts []alert.Alert, user string, zone *time.Location) *dialog.Form {
	fields := []dialog.Field{
		{ID: "by", Label: "Your name", Value: user, Required: true, MaxLength: model.MaxName},
		{ID: "note", Label: "Note", Hint: "what are you doing about it?"},
	}
	if user != "" {
		fields[0].ReadOnly = true
	}
	return dialog.NewForm(dialogs, "Take over: "+titleOrEverything(w.title(alerts)), "Take over", fields, zone)
}

// visibilityText returns a sentence about which boards show that an alert was taken over.
func (w *BoardAlerts) visibilityText() string {
	if w.visibleToOthers { // the engine is shared
		return "Everyone on this server sees that you took it."
	}
	return "Boards on other machines do not show that you took it."
}

// submitTakeOver takes over an alert with the name and the note in the form d. If this fails, the
// form shows the reason.
func (w *BoardAlerts) submitTakeOver(dialogs *dialog.Stack, d *dialog.Form, a alert.Alert) tea.Cmd {
	takenOver, problem := w.takeOverAlert(d, a)
	if problem != "" {
		return d.Say(problem)
	}
	dialogs.Close(d)
	w.Refresh()
	return dialogs.Say("Taken by " + takenOver.Ack.By + ": " + takenOver.Text)
}

// submitTakeOverAll takes over the alerts with the name and the note in the form d. It shows which
// alerts could not be taken over.
func (w *BoardAlerts) submitTakeOverAll(dialogs *dialog.Stack, d *dialog.Form, alerts []alert.Alert) tea.Cmd {
	taken := 0
	var problems []string
	for _, a := range alerts {
		if _, problem := w.takeOverAlert(d, a); problem != "" {
			problems = append(problems, w.title([]alert.Alert{a})+": "+problem)
			continue
		}
		taken++
	}
	if taken == 0 {
		return d.Say(problems[0])
	}
	dialogs.Close(d)
	w.Refresh()
	text := phrases.Count(taken, "alert", "alerts") + " taken by " + d.Fields.Value("by") + "."
	if len(problems) > 0 {
		text += " " + strings.Join(problems, " ")
	}
	return dialogs.Say(text)
}

// takeOverAlert takes over an alert with the name and the note in the form d. problem is a sentence
// that says why this was not possible, or "" after success.
func (w *BoardAlerts) takeOverAlert(d *dialog.Form, a alert.Alert) (takenOver alert.Alert, problem string) {
	if err := w.recordAction(&Action{Kind: TakeOver, By: d.Fields.Value("by"), RecordNames: w.title([]alert.Alert{a}), Note: d.Fields.Value("note")}); err != nil {
		return a, "Not taken over: " + err.Error()
	}
	takenOver, err := w.engine.Acknowledge(a.ID, d.Fields.Value("by"), d.Fields.Value("note"), w.floor.ToServerTime(w.floor.LocalNow))
	switch {
	case errors.Is(err, alert.ErrNotActive):
		return a, "The alert has ended meanwhile: there is nothing left to take over."
	case errors.Is(err, alert.ErrNoName):
		return a, "Type your name, so that others know whom to ask."
	case err != nil:
		return a, "It could not be noted: " + err.Error()
	}
	if w.recordEvent != nil {
		w.recordEvent(takenOver.AckEvent())
	}
	return takenOver, ""
}
