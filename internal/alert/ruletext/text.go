// Package ruletext makes the texts of the alerts of built-in rules from the catalogue of messages, and
// holds the text of an alert in the form that can be told in every language.
//
// The package has no goroutines and does no I/O.
package ruletext

import (
	"wallboard/internal/alert/breaks"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// Text makes the text of the alerts of a built-in rule from the values of expressions.
type Text struct {
	// Expressions are the expressions with formats, as in the braces of a message.
	Expressions []string

	tell func(v []Value) words.Text
}

// Equal reports whether two texts are the same.
func (t *Text) Equal(o *Text) bool { return t == o }

// Value is the value of an expression.
type Value struct {
	Figure     model.Figure // of an expression that is a number
	Unit       kpi.Unit
	Name       string // of an expression that is a text
	IsName     bool
	SpelledOut bool // the figure is read aloud
}

// MaxValues is the largest number of values of a [Text].
const MaxValues = 5

// Values holds the values of the expressions of a [Text], in their order.
type Values [MaxValues]Value

// text returns the value as a part of a message.
func (v *Value) text() words.Text {
	switch {
	case v.IsName:
		return words.Name(v.Name)
	case v.SpelledOut:
		return Spoken(v.Unit, v.Figure)
	}
	return Figure(v.Unit, v.Figure)
}

// Of returns the text that is a message with one value.
func Of(message func(a words.Text) words.Text, a string) *Text {
	return &Text{[]string{a}, func(v []Value) words.Text { return message(v[0].text()) }}
}

// Of2 returns the text that is a message with two values.
func Of2(message func(a, b words.Text) words.Text, a, b string) *Text {
	return &Text{[]string{a, b}, func(v []Value) words.Text { return message(v[0].text(), v[1].text()) }}
}

// Of3 returns the text that is a message with three values.
func Of3(message func(a, b, c words.Text) words.Text, a, b, c string) *Text {
	return &Text{[]string{a, b, c}, func(v []Value) words.Text { return message(v[0].text(), v[1].text(), v[2].text()) }}
}

// Budget returns the text of the rule about a target that the next late call misses.
func Budget() *Text {
	return &Text{[]string{"serviceLevel", "serviceLevelTarget", "toRecover"}, func(v []Value) words.Text {
		if isTargetMet(v) {
			return words.RuleOneLateCall(v[0].text(), v[1].text())
		}
		return words.RuleServiceLevel(v[0].text(), v[1].text())
	}}
}

// isTargetMet reports whether the target is still met. v holds the values of [Budget].
func isTargetMet(v []Value) bool {
	calls, ok := v[2].Figure.Get()
	return ok && calls <= 0
}

// NotReady returns the text of the rule about agents who are not ready for long.
func NotReady() *Text {
	return &Text{[]string{"value|duration", "activityCode"}, func(v []Value) words.Text {
		if v[1].Name == "" {
			return words.RuleNotReady(v[0].text())
		}
		return words.RuleNotReadyIn(v[0].text(), v[1].text())
	}}
}

// Break returns the text of the rule about breaks that are too long for their kind.
func Break() *Text {
	return &Text{[]string{"activityCode", "timeInState", "breakLimit", "breakKind", "breakSource"}, func(v []Value) words.Text {
		basis := words.BreakBasis(breaks.Kind(v[3].Name).Text(), breaks.Source(v[4].Name).Text())
		return words.RuleBreakTooLong(v[0].text(), v[1].text(), v[2].text(), basis)
	}}
}

// BreakLimit returns the text of a rule about a break whose limit is configured. figure is the
// expression of the time of the break or, if ofDay is true, of all breaks of the day. limit is the
// limit in seconds.
func BreakLimit(figure, limit string, ofDay bool) *Text {
	message := words.RuleBreakLimit
	if ofDay {
		message = words.RuleBreakLimitDay
	}
	return &Text{[]string{"activityCode", figure + "|duration", limit + "|duration"}, func(v []Value) words.Text {
		return message(v[0].text(), v[1].text(), v[2].text(), breaks.Configured.Text())
	}}
}
