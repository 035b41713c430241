package ui

import (
	"errors"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
)

// pressAlert obeys the keys about alerts.
func (m *Model) pressAlert(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := m.keys; {
	case key.Matches(msg, k.Why):
		m.dialogs.Mute(msg.String())
		return m.askWhy(), true
	case key.Matches(msg, k.Acknowledge):
		m.dialogs.Mute(msg.String())
		return m.askAcknowledge(), true
	case key.Matches(msg, k.Trend):
		return m.openPlot(), true
	}
	return nil, false
}

// noAlertHere says why nothing can be asked about alerts.
func (m *Model) noAlertHere() tea.Cmd {
	if p := m.pages.page().Focused(); p != nil && p.Alerts {
		if _, selected := p.Table.Selected(); selected {
			return m.say("This alert has ended.")
		}
	}
	text := "Nothing is wrong with what is selected."
	if k, ok := m.selectedKey(); ok {
		for _, u := range m.scene.Alerts.Unjudged(k) {
			text = m.scene.unjudged(&u)
		}
	}
	return m.say(text)
}

// unjudged says why a share that looks bad is no alert.
func (sc *scene) unjudged(u *alert.Unjudged) string {
	figure := func(as alert.Format, f model.Figure) string { return string(sc.look.Format.KPI(nil, as, f)) }
	text := u.Rule + " " + figure(u.Format, u.Value) + " of " + figure(alert.Number, u.Calls) + " calls: "
	if u.Enough() {
		return text + "within chance, so it is no alert."
	}
	return text + "too few to judge (" + sc.look.Count(u.MinCalls) + " needed)."
}

// askAcknowledge asks for a note on the most urgent alert that nobody has taken
// over yet, or anew on one that somebody has.
func (m *Model) askAcknowledge() tea.Cmd {
	here := m.alertsHere()
	if len(here) == 0 {
		return m.noAlertHere()
	}
	a := here[0]
	for _, other := range here {
		if other.Ack == (alert.Ack{}) {
			a = other
			break
		}
	}
	sc := m.scene
	fields := []form.Field{
		{ID: "by", Label: "Your name", Value: sc.User, Required: true, Max: model.MaxName},
		{ID: "note", Label: "Note", Hint: "what you do about it, for those who look next"},
	}
	if sc.User != "" {
		fields[0].ReadOnly = true
	}
	d := dialog.NewForm(m.dialogs, "Take over: "+a.Rule, "Take over", fields, sc.Location)
	d.About = func() string {
		until := "it ends or becomes critical"
		if a.Level == alert.Critical {
			until = "it ends"
		}
		return a.Text + ". It steps back until " + until + ". Boards of others are not told."
	}
	d.Done = func() tea.Cmd { return m.acknowledge(d, a) }
	return m.dialogs.Open(d)
}

// acknowledge notes on an alert what was filled in.
func (m *Model) acknowledge(d *dialog.Form, a alert.Alert) tea.Cmd {
	sc := m.scene
	taken, err := sc.Alerts.Acknowledge(a.ID, d.Fields.Value("by"), d.Fields.Value("note"), sc.floor.Server(sc.floor.Ours))
	switch {
	case errors.Is(err, alert.ErrNotActive):
		return d.Say("The alert has ended meanwhile: there is nothing left to take over.")
	case errors.Is(err, alert.ErrNobody):
		return d.Say("Type your name, so that others know whom to ask.")
	case err != nil:
		return d.Say("It could not be noted: " + err.Error())
	}
	if sc.Keep != nil {
		sc.Keep([]alert.Alert{taken})
	}
	m.dialogs.Close(d)
	m.lookAtAlerts()
	return m.say("Taken by " + taken.Ack.By + ": " + taken.Text)
}
