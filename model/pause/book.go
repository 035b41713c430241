package pause

import (
	"sync"
	"time"
)

// Source is where a limit comes from, in words.
type Source string

// The sources.
const (
	Guessed    Source = "guessed from the name"
	Configured Source = "from config.toml"
)

// Allowed is how long a break may take.
type Allowed struct {
	Kind   Kind // "" where the configuration sets a limit and no kind
	Limit  time.Duration
	Source Source
}

// Rule is what the configuration says of a code, or of a kind where Code is "".
type Rule struct {
	Code  string
	Kind  Kind          // "" is to be guessed
	Limit time.Duration // at once; 0 is that of the kind
}

// Book knows what breaks may take. The nil Book knows nothing.
type Book struct {
	codes map[string]Rule
	kinds map[Kind]time.Duration
	name  func(code string) string

	mu    sync.RWMutex
	known map[string]Kind // of codes, guessed
}

// NewBook returns a book of what the configuration says. name is what people call a
// code; nil is the code.
func NewBook(rules []Rule, name func(code string) string) *Book {
	b := &Book{codes: make(map[string]Rule), kinds: make(map[Kind]time.Duration), name: name, known: make(map[string]Kind)}
	for _, r := range rules {
		if r.Code != "" {
			b.codes[r.Code] = r
		} else if r.Limit > 0 {
			b.kinds[r.Kind] = r.Limit
		}
	}
	return b
}

// Of returns what the break with a code may take; ok is false where nobody knows.
func (b *Book) Of(code string) (a Allowed, ok bool) {
	if b == nil || code == "" {
		return Allowed{}, false
	}
	a.Source = Guessed
	if r := b.codes[code]; r.Code != "" {
		a.Kind = r.Kind
		if r.Kind != "" || r.Limit > 0 {
			a.Source = Configured
		}
		a.Limit = r.Limit
	}
	if a.Kind == "" {
		a.Kind = b.guess(code)
	}
	if a.Limit == 0 {
		if a.Limit = b.kinds[a.Kind]; a.Limit == 0 {
			a.Limit = a.Kind.Limit()
		}
	}
	if a.Kind == Other {
		a.Kind = ""
	}
	return a, a.Limit > 0
}

// ByKind is [Book.Of] of a code that has no limit of its own.
func (b *Book) ByKind(code string) (a Allowed, ok bool) {
	if b == nil || b.codes[code].Limit > 0 {
		return Allowed{}, false
	}
	return b.Of(code)
}

// mostKnown bounds what is remembered: codes come from the platform.
const mostKnown = 1000

// guess returns the kind of a code by what people call it, or by the code itself.
func (b *Book) guess(code string) Kind {
	b.mu.RLock()
	k, ok := b.known[code]
	b.mu.RUnlock()
	if ok {
		return k
	}
	if b.name != nil {
		k = Guess(b.name(code))
	} else {
		k = Guess(code)
	}
	b.mu.Lock()
	if len(b.known) < mostKnown {
		b.known[code] = k
	}
	b.mu.Unlock()
	return k
}
