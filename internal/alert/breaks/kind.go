package breaks

import (
	_ "embed" // for the terms
	"strings"
	"sync"
	"time"

	"wallboard/internal/words"
)

// Kind is a kind of break, as in the configuration.
type Kind string

// Kinds. The configuration assigns Other to a code whose name wrongly suggests a kind.
const (
	Lunch      Kind = "lunch"
	Restroom   Kind = "restroom"
	Training   Kind = "training"
	Coaching   Kind = "coaching"
	Meeting    Kind = "meeting"
	OfficeWork Kind = "office work"
	ShortBreak Kind = "short break"
	Other      Kind = "other"
)

// Kinds returns all kinds except Other.
func Kinds() []Kind {
	return []Kind{Lunch, Restroom, Training, Coaching, Meeting, OfficeWork, ShortBreak}
}

// Text returns the kind in words. For a kind that is not one of the constants, it returns the kind itself.
func (k Kind) Text() words.Text {
	switch k {
	case Lunch:
		return words.BreakLunch()
	case Restroom:
		return words.BreakRestroom()
	case Training:
		return words.BreakTraining()
	case Coaching:
		return words.BreakCoaching()
	case Meeting:
		return words.BreakMeeting()
	case OfficeWork:
		return words.BreakOfficeWork()
	case ShortBreak:
		return words.BreakShortBreak()
	case Other:
		return words.BreakOther()
	}
	return words.Name(string(k))
}

// DefaultLimit returns the default limit per break of the kind, or 0 for [Other] and unknown kinds.
func (k Kind) DefaultLimit() time.Duration {
	switch k {
	case Lunch:
		return time.Hour
	case Restroom:
		return 10 * time.Minute
	case Training:
		return 4 * time.Hour
	case Coaching:
		return time.Hour
	case Meeting:
		return 90 * time.Minute
	case OfficeWork:
		return 2 * time.Hour
	case ShortBreak:
		return 15 * time.Minute
	case Other:
	}
	return 0
}

//go:embed terms.txt
var termsFile string

// termsByKind returns the words and phrases that identify each kind, in lower case and without accents.
var termsByKind = sync.OnceValue(func() map[Kind][]string {
	out := make(map[Kind][]string)
	for line := range strings.Lines(termsFile) {
		if kind, terms, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			out[Kind(kind)] = strings.Split(terms, ", ")
		}
	}
	return out
})

// terms returns the words and phrases that identify a kind.
func (k Kind) terms() []string { return termsByKind()[k] }

// breakTerms returns the words for any break. A name with no other known word means a short break.
// Next to a word for lunch, a restroom or a short break, such a word adds nothing. Next to a word
// of another kind, it makes the name ambiguous, because a break during a training is not the
// training.
func breakTerms() []string {
	return []string{"break", "breaks", "pause", "pausen", "pauses", "pausa", "pausas", "descanso", "intervalo", "intervallo", "rest"}
}

// negations returns words that reverse the meaning of a name. For example, an agent who covers a
// colleague's lunch is not at lunch.
func negations() []string {
	return []string{
		"no", "not", "non", "without", "before", "after", "pre", "post", "cover", "covering", "kein", "keine", "nicht", "ohne", "vor", "nach",
		"vertretung", "pas", "sans", "avant", "apres", "sin", "antes", "despues", "senza", "prima", "dopo", "nao", "sem", "depois",
	}
}
