package render

import "wallboard/model"

// formerTitles has what rows showed for the alerts of a rule until 29 November 2026, by the present
// title. Filters in configurations and of earlier sessions contain these words.
var formerTitles = map[string]string{"below target": "off target", "high abandonment": "many gave up", "out of contacts": "list empty"}

// formerStates has the former words for the states of an agent, like [formerTitles].
var formerStates = map[model.UserStatus]string{model.Booked: "Booked", model.NotReadyBusy: "Busy not ready", model.BusyElsewhere: "Busy elsewhere"}

// formerWord returns the former word for the state of an alert or a situation, like [formerTitles].
func (s State) formerWord() string {
	switch {
	case s.Word == "Monitored":
		return "Watched"
	case s.Word == "Monitored, critical":
		return "Watched, critical"
	case s.Word == "Resolved" && s.glyph == "✓":
		return "Recovered"
	case s.Word == "Resolved":
		return "Ended"
	}
	return ""
}
