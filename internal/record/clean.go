package record

import "wallboard/model"

// A recording may come from an untrusted source. Its strings reach screens, other files, and the
// configuration of a board that plays the recording. The functions in this file clean the strings of marks
// and descriptions. The decoder cleans the strings of snapshots, and words.Restored those of messages.

func (a *Metadata) clean() {
	cleanNames(&a.Board, &a.Platform, &a.Names, &a.Zone.Name)
	for i := range a.Codes {
		c := &a.Codes[i]
		cleanNames(&c.Kind, &c.Code, &c.Name)
	}
}

// cleanMark cleans the strings of a mark in place.
func cleanMark(m *Mark) {
	m.Text = model.CleanText(m.Text, model.MaxBody)
	m.Kind = MarkKind(model.CleanText(string(m.Kind), model.MaxName))
	cleanTakenAlert(&m.Taken)
	if m.Incident != nil {
		cleanIncident(m.Incident)
	}
	if n := m.Note; n != nil {
		n.Text = model.CleanText(n.Text, model.MaxBody)
		cleanNames(&n.ID, &n.By)
	}
}

func cleanTakenAlert(t *model.TakenAlert) {
	t.Channel = model.Channel(model.CleanText(string(t.Channel), model.MaxName))
	cleanNames(&t.Rule, &t.Scope, &t.Code, &t.By)
}

// Limits on the alerts and the causes of an incident.
const (
	maxIncidentAlerts = 100
	maxIncidentCauses = 10
)

func cleanIncident(in *model.Incident) {
	in.Channel, in.Headline = model.Channel(model.CleanText(string(in.Channel), model.MaxName)), model.CleanText(in.Headline, model.MaxBody)
	cleanNames(&in.ID, &in.Scope, &in.Code, &in.Title)
	in.Causes = in.Causes[:min(len(in.Causes), maxIncidentCauses)]
	for i := range in.Causes {
		c := &in.Causes[i]
		c.Text, c.Users = model.CleanText(c.Text, model.MaxBody), cleanTexts(c.Users[:min(len(c.Users), maxIncidentAlerts)])
		cleanNames(&c.Kind, &c.Brief)
	}
	in.Alerts = in.Alerts[:min(len(in.Alerts), maxIncidentAlerts)]
	for i := range in.Alerts {
		a := &in.Alerts[i]
		a.Text = model.CleanText(a.Text, model.MaxBody)
		cleanTakenAlert(&a.TakenAlert)
	}
}

// cleanNames cleans short strings in place.
func cleanNames(names ...*string) {
	for _, name := range names {
		*name = model.CleanText(*name, model.MaxName)
	}
}

// cleanTexts cleans short strings in place and returns the slice.
func cleanTexts(all []string) []string {
	for i := range all {
		all[i] = model.CleanText(all[i], model.MaxName)
	}
	return all
}
