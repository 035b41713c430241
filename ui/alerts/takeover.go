package alerts

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/style"
)

// NoAlertReason returns the reason why a record has no alert.
func (w *Watch) NoAlertReason(k alert.Key, lk *style.Look) string {
	text := "Nothing is wrong with what is selected."
	for _, u := range w.engine.Unjudged(k) {
		text = unjudged(&u, lk)
	}
	return text
}

// unjudged describes a bad share that raises no alert because there are too few calls.
func unjudged(u *alert.Unjudged, lk *style.Look) string {
	figure := func(format alert.Format, f model.Figure) string { return string(lk.Format.KPI(nil, format, f)) }
	text := u.Rule + " " + figure(u.Format, u.Value) + " of " + figure(alert.Number, u.Calls) + " calls: "
	if u.Enough() {
		return text + "too few went wrong to judge, so it is no alert."
	}
	return text + "too few to judge (" + lk.Count(u.MinCalls) + " needed)."
}

// TakeOver asks for a note and takes over the most urgent alert that is not taken yet, or
// changes the note if all are. user is the viewer's name; "" asks for it.
func (w *Watch) TakeOver(dialogs *dialog.Stack, alerts []alert.Alert, user string, zone *time.Location) tea.Cmd {
	a := alerts[0]
	for _, other := range alerts {
		if other.Ack == (alert.Ack{}) {
			a = other
			break
		}
	}
	fields := []form.Field{
		{ID: "by", Label: "Your name", Value: user, Required: true, Max: model.MaxName},
		{ID: "note", Label: "Note", Hint: "what you do about it, for those who look next"},
	}
	if user != "" {
		fields[0].ReadOnly = true
	}
	d := dialog.NewForm(dialogs, "Take over: "+titleOrEverything(w.title(alerts)), "Take over", fields, zone)
	d.Remark = func() string {
		until := "it ends or becomes critical"
		if a.Level == alert.Critical {
			until = "it ends"
		}
		confirmation := "Boards on other machines do not show that you took it."
		if w.othersSee { // the engine is shared
			confirmation = "Everybody who looks sees that you took it."
		}
		return a.Text + ". It goes below the others until " + until + ". " + confirmation
	}
	d.OnSubmit = func() tea.Cmd { return w.acknowledge(dialogs, d, a) }
	return dialogs.Open(d)
}

// acknowledge stores the values of the form.
func (w *Watch) acknowledge(dialogs *dialog.Stack, d *dialog.Form, a alert.Alert) tea.Cmd {
	if err := w.record(&Action{Kind: TakeOver, By: d.Fields.Value("by"), About: w.title([]alert.Alert{a}), Note: d.Fields.Value("note")}); err != nil {
		return d.Say("Not taken over: " + err.Error())
	}
	takenOver, err := w.engine.Acknowledge(a.ID, d.Fields.Value("by"), d.Fields.Value("note"), w.floor.Server(w.floor.Ours))
	switch {
	case errors.Is(err, alert.ErrNotActive):
		return d.Say("The alert has ended meanwhile: there is nothing left to take over.")
	case errors.Is(err, alert.ErrNoName):
		return d.Say("Type your name, so that others know whom to ask.")
	case err != nil:
		return d.Say("It could not be noted: " + err.Error())
	}
	if w.recordEvent != nil {
		w.recordEvent(takenOver.AckEvent())
	}
	dialogs.Close(d)
	w.Refresh()
	return dialogs.Say("Taken by " + takenOver.Ack.By + ": " + takenOver.Text)
}
