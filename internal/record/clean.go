package record

import "wallboard/model"

// Files may come from untrusted sources, and their texts reach screens, other files and the
// configuration of a board that plays them. All texts are therefore cleaned when they are read; the
// decoder cleans those in snapshots.

func (a *About) clean() {
	for _, text := range []*string{&a.Board, &a.Platform, &a.Names, &a.Zone.Name} {
		*text = model.CleanText(*text, model.MaxName)
	}
	for i := range a.Codes {
		c := &a.Codes[i]
		c.Kind, c.Code, c.Name = model.CleanText(c.Kind, model.MaxName), model.CleanText(c.Code, model.MaxName), model.CleanText(c.Name, model.MaxName)
	}
}

// cleanMark cleans the texts of a mark.
func cleanMark(m *Mark) {
	m.Text = model.CleanText(m.Text, model.MaxBody)
	m.Kind, m.Taken.Channel = MarkKind(model.CleanText(string(m.Kind), model.MaxName)), model.Channel(model.CleanText(string(m.Taken.Channel), model.MaxName))
	for _, text := range []*string{&m.Taken.Rule, &m.Taken.Scope, &m.Taken.Code, &m.Taken.By} {
		*text = model.CleanText(*text, model.MaxName)
	}
}

// cleanAll cleans texts in place.
func cleanAll(all []string) []string {
	for i := range all {
		all[i] = model.CleanText(all[i], model.MaxName)
	}
	return all
}
