package textformat

import (
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// RuleText makes the text of the alerts of a built-in rule from the values of expressions.
type RuleText struct {
	// Expressions are the expressions with formats, as in the braces of a message.
	Expressions []string

	makeText func(v []RuleValue) words.Text
}

// Equal reports whether two texts are the same.
func (t *RuleText) Equal(o *RuleText) bool { return t == o }

// RuleValue is the value of an expression.
type RuleValue struct {
	Figure     model.Figure // value of an expression that is a number
	Unit       kpi.Unit
	Name       string // value of an expression that is a text
	IsName     bool
	SpelledOut bool // the figure is read aloud
}

// MaxRuleValues is the largest number of values of a [RuleText].
const MaxRuleValues = 5

// RuleValues holds the values of the expressions of a [RuleText], in their order.
type RuleValues [MaxRuleValues]RuleValue

// Text returns the value as a part of a message.
func (v *RuleValue) Text() words.Text {
	switch {
	case v.IsName:
		return words.Name(v.Name)
	case v.SpelledOut:
		return SpokenFigure(v.Unit, v.Figure)
	}
	return FigureText(v.Unit, v.Figure)
}

// NewRuleText returns the text that tell makes from the values of expressions.
func NewRuleText(tell func(v []RuleValue) words.Text, expressions ...string) *RuleText {
	return &RuleText{expressions, tell}
}

// RuleText1 returns the text that is a message with one value.
func RuleText1(message func(a words.Text) words.Text, a string) *RuleText {
	return &RuleText{[]string{a}, func(v []RuleValue) words.Text { return message(v[0].Text()) }}
}

// RuleText2 returns the text that is a message with two values.
func RuleText2(message func(a, b words.Text) words.Text, a, b string) *RuleText {
	return &RuleText{[]string{a, b}, func(v []RuleValue) words.Text { return message(v[0].Text(), v[1].Text()) }}
}

// RuleText3 returns the text that is a message with three values.
func RuleText3(message func(a, b, c words.Text) words.Text, a, b, c string) *RuleText {
	return &RuleText{[]string{a, b, c}, func(v []RuleValue) words.Text { return message(v[0].Text(), v[1].Text(), v[2].Text()) }}
}

// BudgetRuleText returns the text of the rule about a target that the next late call misses.
func BudgetRuleText() *RuleText {
	return &RuleText{[]string{"serviceLevel", "serviceLevelTarget", "toRecover"}, func(v []RuleValue) words.Text {
		if isTargetMet(v) {
			return words.RuleOneLateCall(v[0].Text(), v[1].Text())
		}
		return words.RuleServiceLevel(v[0].Text(), v[1].Text())
	}}
}

// isTargetMet reports whether the target is still met. v holds the values of [BudgetRuleText].
func isTargetMet(v []RuleValue) bool {
	calls, ok := v[2].Figure.Get()
	return ok && calls <= 0
}

// NotReadyRuleText returns the text of the rule about agents who are not ready for long.
func NotReadyRuleText() *RuleText {
	return &RuleText{[]string{"value|duration", "activityCode"}, func(v []RuleValue) words.Text {
		if v[1].Name == "" {
			return words.RuleNotReady(v[0].Text())
		}
		return words.RuleNotReadyIn(v[0].Text(), v[1].Text())
	}}
}
