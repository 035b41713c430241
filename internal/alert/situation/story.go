package situation

import (
	"strings"

	"wallboard/internal/phrases"
)

// Text returns what is wrong and where: the place and the headline, such as "Contracts PT: 9
// callers waiting, longest 1:10."
func (sit *Situation) Text() string { return sit.Place.Title + ": " + sit.Headline }

// Line returns [Situation.Text] with the largest known cause and the first suggestion.
func (sit *Situation) Line() string {
	text := sit.Place.Title + ": " + phrases.Sentence(sit.Headline)
	if why := sit.MainCause(); why != "" {
		text += " Why: " + why
	}
	if label, helps := sit.HelpPhrases(); len(helps) > 0 {
		text += " " + phrases.Capital(label) + ": " + helps[0] + "."
	}
	return text
}

// Explanation returns [Situation.Text] with all causes.
func (sit *Situation) Explanation() string {
	return strings.Join(append([]string{sit.Text()}, sit.CauseLines()...), " ")
}

// Paragraph returns [Situation.Explanation] with all suggestions.
func (sit *Situation) Paragraph() string {
	text := sit.Explanation()
	if label, helps := sit.HelpPhrases(); len(helps) > 0 {
		text += " " + label + ": " + strings.Join(helps, "; ") + "."
	}
	return text
}

// MainCause returns the largest cause as a sentence, or "" if no cause is known.
func (sit *Situation) MainCause() string {
	if len(sit.Causes) == 0 {
		return ""
	}
	return sit.CauseLines()[0]
}
