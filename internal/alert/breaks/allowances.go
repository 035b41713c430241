package breaks

import (
	"sync"
	"time"

	"wallboard/internal/words"
)

// Source is the origin of a limit, as in the field breakSource of messages.
type Source string

// Origins of a limit.
const (
	SourceGuessed    Source = "assumed from the name"
	SourceConfigured Source = "from config.toml"
)

// Text returns the origin in words.
func (s Source) Text() words.Text {
	switch s {
	case SourceGuessed:
		return words.BreakAssumed()
	case SourceConfigured:
		return words.BreakConfigured()
	}
	return words.Text{}
}

// Allowance is the allowed length of a break.
type Allowance struct {
	Kind   Kind // "": Other, or the configuration sets a limit for a code of unknown kind
	Limit  time.Duration
	Source Source
}

// Rule is a configured limit for an activity code or, if Code is "", for a kind.
type Rule struct {
	Code  string
	Kind  Kind          // "": guess it from the name
	Limit time.Duration // limit per break; 0: the limit of the kind
}

// Allowances holds the limits for single breaks. A nil Allowances has no limits.
type Allowances struct {
	codes  map[string]Rule
	kinds  map[Kind]time.Duration
	nameOf func(code string) string

	mu      sync.RWMutex
	guessed map[string]Kind // cached guesses by activity code
}

// NewAllowances returns the allowances for the configured rules. name returns the display name of
// an activity code. If it is nil, the kind is guessed from the code itself.
func NewAllowances(rules []Rule, name func(code string) string) *Allowances {
	b := &Allowances{codes: make(map[string]Rule), kinds: make(map[Kind]time.Duration), nameOf: name, guessed: make(map[string]Kind)}
	for _, r := range rules {
		if r.Code != "" {
			b.codes[r.Code] = r
		} else if r.Limit > 0 {
			b.kinds[r.Kind] = r.Limit
		}
	}
	return b
}

// ForCode returns the allowed length of a break with an activity code. If neither the code nor its
// kind has a limit, ok is false.
func (b *Allowances) ForCode(code string) (a Allowance, ok bool) {
	if b == nil || code == "" {
		return Allowance{}, false
	}
	a.Source = SourceGuessed
	if r := b.codes[code]; r.Code != "" {
		a.Kind = r.Kind
		if r.Kind != "" || r.Limit > 0 {
			a.Source = SourceConfigured
		}
		a.Limit = r.Limit
	}
	if a.Kind == "" {
		a.Kind = b.guessKind(code)
	}
	if a.Limit == 0 {
		if a.Limit = b.kinds[a.Kind]; a.Limit == 0 {
			a.Limit = a.Kind.DefaultLimit()
		}
	}
	if a.Kind == Other {
		a.Kind = ""
	}
	return a, a.Limit > 0
}

// ByKind is like [Allowances.ForCode], but if the configuration sets a limit for the code itself,
// ok is false.
func (b *Allowances) ByKind(code string) (a Allowance, ok bool) {
	if b == nil || b.codes[code].Limit > 0 {
		return Allowance{}, false
	}
	return b.ForCode(code)
}

// maxGuesses limits the number of cached guesses, because the platform may send any number of
// codes.
const maxGuesses = 1000

// guessKind returns the kind of break that the name of a code indicates, or "" if it indicates
// none.
func (b *Allowances) guessKind(code string) Kind {
	b.mu.RLock()
	k, ok := b.guessed[code]
	b.mu.RUnlock()
	if ok {
		return k
	}
	if b.nameOf != nil {
		k = GuessKind(b.nameOf(code))
	} else {
		k = GuessKind(code)
	}
	b.mu.Lock()
	if len(b.guessed) < maxGuesses {
		b.guessed[code] = k
	}
	b.mu.Unlock()
	return k
}
