package alert

import (
	"wallboard/internal/words"
	"wallboard/model"
)

// AckEvent returns the event that marks the acknowledgement of the alert in a recording. The event
// does not contain the viewer's note, which may be about a customer.
func (a *Alert) AckEvent() model.Event {
	text, nameless := words.RuleTakenOverBy(a.Ack.By, a.TranslatableText()), words.RuleTakenOver(a.TranslatableText())
	e := model.Event{Kind: model.MarkNote}
	e.NamelessTaken = model.TakenAlert{
		Rule: a.Rule, Scope: string(a.Key.Scope), Code: a.Key.Code, Channel: a.Key.Channel, Level: int(a.Level),
	}
	e.Taken = e.NamelessTaken
	e.Taken.By = a.Ack.By
	if a.Key.Scope == User { // the text and the key of an alert about an agent contain the agent's name
		nameless, e.NamelessTaken = words.RuleTakenOver(RuleTitle(a.Rule)), model.TakenAlert{}
	}
	e.Text, e.Message, e.Nameless, e.NamelessMessage = text.In(nil), text.Stored(), nameless.In(nil), nameless.Stored()
	return e
}
