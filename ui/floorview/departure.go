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
	state := words.ViewLoggedOut()
	switch {
	case d.Status == "":
	case d.Activity != "":
		state = words.Name(v.Names.NameOf(model.NameActivity, d.Activity))
	case d.Service != "":
		state = words.Name(v.Names.NameOf(model.NameService, d.Service))
	default:
		state = words.AgentStateInSentence(d.Status, d.Channel)
	}
	text := words.ViewAgentIs(v.DepartedName(d), state)
	if !d.At.IsZero() {
		text = words.ViewAt(string(format.Clock(nil, d.At)), text)
	}
	return text.In(format.Words)
}

// DepartedName returns the name of an agent who left. If another agent has the same name, the result
// also contains the user name.
func (v *View) DepartedName(d *diagnosis.Departure) string {
	if name := v.uniqueAgentName(d.Username); name != d.Username || d.Name == "" {
		return name
	}
	return d.Name // the recorded name of an agent who has logged out
}
