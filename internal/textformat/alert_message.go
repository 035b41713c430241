package textformat

import (
	"wallboard/internal/words"
	"wallboard/model"
)

// AlertMessage is the text of an alert in the form that can be written in every language. It is
// immutable.
type AlertMessage struct {
	Title   words.Text // display name of the record; zero if the rule's author has written another beginning
	Problem words.Text // what is wrong; for a custom rule, the text that its author has written

	name     string     // display name of the record in English
	text     *RuleText  // nil: the message is that of a custom rule, or read from a file
	isStored bool       // the message is that of a built-in rule, read from a file
	values   RuleValues // values for text
}

// NewMessage returns the message about a record. title is the display name of the record, and name is the name in
// English.
func (t *RuleText) NewMessage(title words.Text, name string, values RuleValues) *AlertMessage {
	return &AlertMessage{Title: title, Problem: t.makeText(values[:]), name: name, text: t, values: values}
}

// Matches reports whether [RuleText.NewMessage] would return an equal message. It returns false for a nil message.
func (m *AlertMessage) Matches(t *RuleText, name string, values *RuleValues) bool {
	return m != nil && m.text == t && m.name == name && m.values == *values
}

// IsBuiltIn reports whether the message is that of a built-in rule.
func (m *AlertMessage) IsBuiltIn() bool { return m != nil && (m.text != nil || m.isStored) }

// Stored returns the texts of a built-in rule's message in the form in which files hold them. It returns nil for
// other messages, which are the same in all languages.
func (m *AlertMessage) Stored() (title, what model.Message) {
	if !m.IsBuiltIn() {
		return nil, nil
	}
	return m.Title.Stored(), m.Problem.Stored()
}

// RestoredMessage is the inverse of [AlertMessage.Stored]. If it cannot restore the texts, it returns nil.
func RestoredMessage(title, what model.Message) *AlertMessage {
	m := &AlertMessage{Title: words.Restored(title), Problem: words.Restored(what), isStored: true}
	if m.Problem.IsZero() {
		return nil
	}
	return m
}

// IsTargetMet reports whether the target is still met, for a message of [BudgetRuleText].
func (m *AlertMessage) IsTargetMet() bool {
	return m != nil && m.text != nil && isTargetMet(m.values[:])
}

// Equal reports whether two messages have the same texts.
func (m *AlertMessage) Equal(o *AlertMessage) bool {
	if m == nil || o == nil {
		return m == o
	}
	return m.Title.Equal(o.Title) && m.Problem.Equal(o.Problem)
}

// WithTitle returns the message with the title.
func (m *AlertMessage) WithTitle() words.Text {
	if m.Title.IsZero() {
		return m.Problem
	}
	return words.RuleMessage(m.Title, m.Problem)
}
