package breaks

import (
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// RuleText returns the text of the rule about breaks that are too long for their kind.
func RuleText() *textformat.RuleText {
	return textformat.NewRuleText(func(v []textformat.RuleValue) words.Text {
		return words.RuleBreakTooLong(v[0].Text(), v[1].Text(), v[2].Text(), words.BreakBasis(Kind(v[3].Name).Text(), Source(v[4].Name).Text()))
	}, "activityCode", "timeInState", "breakLimit", "breakKind", "breakSource")
}

// LimitRuleText returns the text of a rule about a break whose limit is configured. figure is the
// expression of the time of the break or, if ofDay is true, of all breaks of the day. limit is the
// limit in seconds.
func LimitRuleText(figure, limit string, ofDay bool) *textformat.RuleText {
	message := words.RuleBreakLimit
	if ofDay {
		message = words.RuleBreakLimitDay
	}
	return textformat.NewRuleText(func(v []textformat.RuleValue) words.Text {
		return message(v[0].Text(), v[1].Text(), v[2].Text(), SourceConfigured.Text())
	}, "activityCode", figure+"|duration", limit+"|duration")
}
