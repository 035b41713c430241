package words

import (
	"maps"
	"math"
	"strings"
	"sync"
	"sync/atomic"
)

// Language writes texts in one language. It is immutable. The methods of a nil Language write English, and so
// do the methods of [Text] for a nil Language.
type Language struct {
	rules        Rules
	day          string // letter for days in durations
	makeTemplate func(id messageID, m *message) template
	templates    [][]atomic.Pointer[template] // by section and index of a message; nil: not parsed yet
	ascii        func() *Language             // see [Language.ASCII]

	isSpoken bool             // durations and percentages are in words
	spoken   func() *Language // returns the spoken form of the language
}

// Rules holds what a language needs besides its messages.
type Rules struct {
	Tag     string // such as "de"
	Decimal byte   // decimal mark
	// Plural returns the plural category of a number: one of "zero", "one", "two", "few", "many" and
	// "other", as in Unicode CLDR.
	Plural func(v float64) string
}

// pluralOneOnly is the plural rule of languages that have a singular for exactly 1.
func pluralOneOnly(v float64) string {
	if v == 1 {
		return "one"
	}
	return "other"
}

// pluralBelowTwo is the plural rule of languages that use the singular for 0, 1 and 1.5.
func pluralBelowTwo(v float64) string {
	if math.Abs(v) < 2 {
		return "one"
	}
	return "other"
}

// RulesOf returns the rules of a language, by its tag. ok is false for a language that is not known.
func RulesOf(tag string) (r Rules, ok bool) {
	switch tag {
	case "en":
		return Rules{tag, '.', pluralOneOnly}, true
	case "de", "it", "es":
		return Rules{tag, ',', pluralOneOnly}, true
	case "fr":
		return Rules{tag, ',', pluralBelowTwo}, true
	}
	return Rules{}, false
}

// English returns the language of the source.
func English() *Language { return sourceLanguage() }

var sourceLanguage = sync.OnceValue(func() *Language {
	rules, _ := RulesOf("en")
	return newLanguage(rules, func(_ messageID, m *message) template { return englishTemplate(m) })
})

// englishTemplate returns a message in English. A test checks that all messages can be parsed.
func englishTemplate(m *message) template {
	parts, err := parseTemplate(m.text, m.paramNames())
	if err != nil {
		return template{parts: []part{{literal: m.text, param: -1}}}
	}
	return template{parts: parts}
}

// newLanguage returns a language whose messages are made by tell. Each message is made when it is first
// needed, because parsing all messages would delay the start of a board.
func newLanguage(rules Rules, tell func(id messageID, m *message) template) *Language {
	l := &Language{rules: rules, makeTemplate: tell, templates: make([][]atomic.Pointer[template], len(sections))}
	for i, s := range sections {
		l.templates[i] = make([]atomic.Pointer[template], len(s))
	}
	l.ascii = sync.OnceValue(func() *Language {
		return newLanguage(rules, func(id messageID, m *message) template {
			t := tell(id, m)
			t.parts = transliterate(rules.Tag, t.parts)
			t.forms = maps.Clone(t.forms)
			for form, parts := range t.forms {
				t.forms[form] = transliterate(rules.Tag, parts)
			}
			return t
		})
	})
	day := TimeDay()
	l.day = string(l.appendForm(nil, &day, ""))
	l.spoken = sync.OnceValue(func() *Language { return newSpokenLanguage(l) })
	return l
}

func (l *Language) template(id messageID) *template {
	told := &l.templates[id.section][id.index]
	if t := told.Load(); t != nil {
		return t
	}
	t := l.makeTemplate(id, messageOf(id))
	told.Store(&t) // another goroutine may store an equal template
	return &t
}

// Tag returns the tag of the language, such as "en".
func (l *Language) Tag() string {
	if l == nil {
		return "en"
	}
	return l.rules.Tag
}

func (l *Language) decimalMark() byte {
	if l == nil {
		return '.'
	}
	return l.rules.Decimal
}

func (l *Language) dayLetter() string {
	if l == nil {
		return "d"
	}
	return l.day
}

// PseudoLanguage returns a language made from English for tests. Its words have accents and are longer, and
// each message is in brackets, so a test can see words that are not in the catalogue, places that are
// too narrow, and sentences that consist of several messages. Names, numbers and times are unchanged.
func PseudoLanguage() *Language {
	rules, _ := RulesOf("de")
	rules.Tag = "pseudo"
	return newLanguage(rules, func(_ messageID, m *message) template {
		t := englishTemplate(m)
		t.parts = addAccents(t.parts)
		if !isPunctuation(t.parts) {
			t.parts = append(append([]part{{literal: "[", param: -1}}, t.parts...), part{literal: "]", param: -1})
		}
		return t
	})
}

// isPunctuation reports whether a message only arranges its arguments.
func isPunctuation(parts []part) bool {
	for i := range parts {
		if p := &parts[i]; p.choices != nil || p.param < 0 && strings.ContainsFunc(p.literal, isLetter) {
			return false
		}
	}
	return true
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0xbf }

// addAccents returns parts with accents on all vowels. Small vowels are doubled.
func addAccents(parts []part) []part {
	return mapLiterals(parts, strings.NewReplacer("a", "áä", "e", "éë", "i", "íï", "o", "óö", "u", "úü", "y", "ýÿ",
		"A", "Á", "E", "É", "I", "Í", "O", "Ó", "U", "Ú", "Y", "Ý").Replace)
}
