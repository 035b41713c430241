package render

import (
	"wallboard/internal/words"
	"wallboard/model"
)

// formerTitles maps titles of rules to the titles that rows showed until 29 November 2026.
// Filters in configurations and of earlier sessions may contain the former titles.
var formerTitles = map[string]string{"below target": "off target", "high abandonment": "many gave up", "out of contacts": "list empty"}

// formerStates maps states of an agent to their former words. See [formerTitles].
var formerStates = map[model.UserStatus]string{model.Booked: "Booked", model.NotReadyBusy: "Busy not ready", model.BusyElsewhere: "Busy elsewhere"}

// formerWord returns the former word for the display state of an alert or a situation, or "" if the
// word has not changed. See [formerTitles].
func (s State) formerWord() string {
	switch {
	case s.Word.Equal(words.StateMonitored()):
		return "Watched"
	case s.Word.Equal(words.StateMonitoredCritical()):
		return "Watched, critical"
	case s.Word.Equal(words.StateResolved()) && s.glyph == "✓":
		return "Recovered"
	case s.Word.Equal(words.StateResolved()):
		return "Ended"
	}
	return ""
}
