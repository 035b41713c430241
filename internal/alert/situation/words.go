package situation

import (
	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// placeTitle returns the display name of a place. The name of the channel is appended unless the
// channel is calls or the place is an agent.
func (w *Tracker) placeTitle(s *model.Snapshot, k alert.Key) string {
	return w.placeMessage(s, k).In(nil)
}

func (w *Tracker) placeMessage(s *model.Snapshot, k alert.Key) words.Text {
	var name string
	switch k.Scope {
	case alert.Feed, alert.Floor:
	case alert.User:
		name = w.personName(s, k.Code, k.Channel)
	case alert.Service, alert.Group, alert.Campaign:
		name = k.Name(w.names, s)
	}
	return placeMessage(k, name)
}

// TitleOf returns the display name of the record that an alert is about: the title of the place
// without the channel or, for another record, the title in the text.
func (p *Place) TitleOf(a *alert.Alert) string {
	if a.Key == p.Key {
		return p.name()
	}
	return a.Title()
}

// personName returns the display name of an agent in the snapshot. If another agent has the same
// name, it adds the username.
func (w *Tracker) personName(s *model.Snapshot, username string, ch model.Channel) string {
	w.namesakes.Update(s.Users)
	return textformat.DistinctPersonName(s, w.names, &w.namesakes, username, ch)
}
