package alert

import (
	"cmp"
	"strings"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// SpokenText returns a figure in words for reading aloud, see [textformat.SpokenFigure].
func (f Format) SpokenText(v model.Figure) words.Text { return textformat.SpokenFigure(f.Unit(), v) }

// IsTargetMet reports whether the alert is one of the rule [RuleBudgetSpent], and the target is still
// met: the next late call will miss it.
func (a *Alert) IsTargetMet() bool { return a.Rule == RuleBudgetSpent && a.Message.IsTargetMet() }

// TranslatableText returns the text of the alert in the form that can be written in every language. The text of
// an alert without a Message is the same in all languages.
func (a *Alert) TranslatableText() words.Text {
	if a.Message == nil {
		return words.Name(a.Text)
	}
	return a.Message.WithTitle()
}

// Sentence returns the text of the alert as a sentence, without the name of the record.
func (a *Alert) Sentence() words.Text {
	if a.Message.IsBuiltIn() {
		return words.Sentence(a.Message.Problem)
	}
	text := a.Text
	if _, rest, ok := strings.Cut(text, ": "); ok {
		text = rest
	}
	return words.Name(textformat.Sentence(cmp.Or(text, a.Rule)))
}

// Title returns the display name of the record in the text of the alert.
func (a *Alert) Title() string {
	if m := a.Message; m != nil && !m.Title.IsZero() {
		return m.Title.In(nil)
	}
	title, _, _ := strings.Cut(a.Text, ": ")
	return title
}

// SetMessage sets the text of the alert.
func (a *Alert) SetMessage(title, what words.Text) {
	a.Message = &textformat.AlertMessage{Title: title, Problem: what}
	a.Text = a.Message.WithTitle().In(nil)
}
