package snapshot

import (
	"strings"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/render"
)

// DepartureText describes an agent who left: the time, if it is known, the agent's name, and the
// agent's current state.
func (v *View) DepartureText(d *diagnosis.Departure, format phrases.Format) string {
	text := v.AgentName(d.Username)
	if text == d.Username && d.Name != "" { // the recorded name of an agent who has logged out
		text = d.Name
	}
	if !d.At.IsZero() {
		text = string(format.Clock(nil, d.At)) + "  " + text
	}
	switch {
	case d.Status == "":
		return text + ": logged out"
	case d.Activity != "":
		return text + ": " + v.Names.Of(model.NameActivity, d.Activity)
	case d.Service != "":
		return text + ": " + v.Names.Of(model.NameService, d.Service)
	}
	return text + ": " + strings.ToLower(render.StateOf(d.Status, d.Channel).Word)
}
