package alert

import "wallboard/model"

// TakeOver is what a recording is marked with when somebody has taken an alert over. What was
// noted stays with the alert: it may be about a customer.
func (a *Alert) TakeOver() model.Event {
	e := model.Event{Kind: model.MarkNote, Text: "Taken over by " + a.Ack.By + ": " + a.Text, Nameless: "Taken over: " + a.Text}
	e.NamelessTaken = model.Taken{
		Rule: a.Rule, Scope: string(a.Key.Scope), Code: a.Key.Code, Channel: a.Key.Channel, Level: int(a.Level),
	}
	e.Taken = e.NamelessTaken
	e.Taken.By = a.Ack.By
	if a.Key.Scope == User { // the text and the key name them
		e.Nameless, e.NamelessTaken = "Taken over: "+a.Rule, model.Taken{}
	}
	return e
}
