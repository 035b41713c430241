package record

import "wallboard/model"

// A file may come from anybody, and what it says goes to screens, to other files and to the
// configuration of a board that plays it: all of its texts are made fit for that where they are
// read, those of its pictures by the decoder.

// clean makes what a header says of its file fit for a screen.
func (a *About) clean() {
	for _, text := range []*string{&a.Board, &a.Platform, &a.Names, &a.Zone.Name} {
		*text = model.CleanText(*text, model.MaxName)
	}
	for i := range a.Codes {
		c := &a.Codes[i]
		c.Kind, c.Code, c.Name = model.CleanText(c.Kind, model.MaxName), model.CleanText(c.Code, model.MaxName), model.CleanText(c.Name, model.MaxName)
	}
}

// cleanMark makes a mark fit for a screen.
func cleanMark(m *Mark) {
	m.Text = model.CleanText(m.Text, model.MaxBody)
	m.Kind, m.Taken.Channel = MarkKind(model.CleanText(string(m.Kind), model.MaxName)), model.Channel(model.CleanText(string(m.Taken.Channel), model.MaxName))
	for _, text := range []*string{&m.Taken.Rule, &m.Taken.Scope, &m.Taken.Code, &m.Taken.By} {
		*text = model.CleanText(*text, model.MaxName)
	}
}

// cleaned makes texts fit for a screen, in their place.
func cleaned(all []string) []string {
	for i := range all {
		all[i] = model.CleanText(all[i], model.MaxName)
	}
	return all
}
