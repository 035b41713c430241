package situation

import (
	"strings"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/plainly"
)

// title returns what people call a place: its name, and its channel where that is
// not the telephone.
func (w *Watch) title(s *model.Snapshot, k alert.Key) string {
	var name string
	switch k.Scope {
	case alert.Feed:
		return "The feed"
	case alert.Floor:
		return "The floor" + onChannel(k.Channel)
	case alert.User:
		return w.person(s, k.Code, k.Channel)
	case alert.Service, alert.Group, alert.Campaign:
		name = k.Name(w.names)
	}
	return name + onChannel(k.Channel)
}

func onChannel(ch model.Channel) string {
	if ch == "" || ch == model.Call {
		return ""
	}
	return " · " + plainly.Channel(ch)
}

// person returns what people call an agent, as the snapshot has the name.
func (w *Watch) person(s *model.Snapshot, username string, ch model.Channel) string {
	return plainly.Person(s, w.names, username, ch)
}

// says returns what an alert says, without the place that it says it of, as a
// sentence.
func says(a *alert.Alert) string {
	text := a.Text
	if _, rest, ok := strings.Cut(text, ": "); ok {
		text = rest
	}
	if text == "" {
		text = a.Rule
	}
	return plainly.Sentence(text)
}
