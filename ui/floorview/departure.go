package floorview

import (
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// DepartureText describes an agent who left: the time, if it is known, the agent's name, and the
// agent's current state.
func (v *View) DepartureText(d *diagnosis.Departure, format textformat.Format) string {
	name := v.AgentName(d.Username)
	if name == d.Username && d.Name != "" { // the recorded name of an agent who has logged out
		name = d.Name
	}
	state := words.ViewLoggedOut()
	switch {
	case d.Status == "":
	case d.Activity != "":
		state = words.Name(v.Names.Of(model.NameActivity, d.Activity))
	case d.Service != "":
		state = words.Name(v.Names.Of(model.NameService, d.Service))
	default:
		state = words.AgentStateInSentence(d.Status, d.Channel)
	}
	text := words.ViewAgentIs(name, state)
	if !d.At.IsZero() {
		text = words.ViewAt(string(format.Clock(nil, d.At)), text)
	}
	return text.In(format.Words)
}
