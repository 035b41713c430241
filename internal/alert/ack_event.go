package alert

import (
	"wallboard/internal/words"
	"wallboard/model"
)

// AckEvent returns the event that marks the acknowledgement of the alert in a recording. The event
// does not contain the viewer's note, which may be about a customer.
func (a *Alert) AckEvent() model.Event {
	what := words.Name(a.Text) // events are written in English, the language of recordings
	e := model.Event{Kind: model.MarkNote, Text: words.RuleTakenOverBy(a.Ack.By, what).In(nil), Nameless: words.RuleTakenOver(what).In(nil)}
	e.NamelessTaken = model.TakenAlert{
		Rule: a.Rule, Scope: string(a.Key.Scope), Code: a.Key.Code, Channel: a.Key.Channel, Level: int(a.Level),
	}
	e.Taken = e.NamelessTaken
	e.Taken.By = a.Ack.By
	if a.Key.Scope == User { // the text and the key of an alert about an agent contain the agent's name
		e.Nameless, e.NamelessTaken = words.RuleTakenOver(words.Name(a.Rule)).In(nil), model.TakenAlert{}
	}
	return e
}
