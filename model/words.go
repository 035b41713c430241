package model

import (
	"slices"
	"strings"
	"unicode"
)

// words hides a set of words in texts.
type words struct {
	known map[string]bool   // hidden words in lower case
	clean map[string]string // cache of cleaned texts
}

func newWords() words { return words{known: make(map[string]bool), clean: make(map[string]string)} }

// add adds texts and each of their words.
func (m *words) add(texts ...string) {
	for _, t := range texts {
		t = strings.ToLower(t)
		m.known[t] = true
		for w := range strings.FieldsFuncSeq(t, notLetter) {
			if len(w) > 1 {
				m.known[w] = true
			}
		}
	}
	delete(m.known, "")
	clear(m.clean)
}

func notLetter(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) }

// health hides the words in the messages of the server and the feed.
func (m *words) health(h *Health) {
	h.Link.Reason, h.Notice, h.LastBadFrame = m.text(h.Link.Reason), m.text(h.Notice), m.text(h.LastBadFrame)
	h.Subscriptions = slices.Clone(h.Subscriptions)
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		s.Reason = m.text(s.Reason)
	}
}

// text returns s with an ellipsis instead of each hidden word.
func (m *words) text(s string) string {
	if s == "" {
		return s
	}
	if clean, ok := m.clean[s]; ok {
		return clean
	}
	var b strings.Builder
	word := 0
	flush := func(end int) {
		if w := s[word:end]; m.known[strings.ToLower(w)] {
			b.WriteString("…")
		} else {
			b.WriteString(w)
		}
	}
	for i, c := range s {
		if notLetter(c) {
			flush(i)
			b.WriteRune(c)
			word = i + len(string(c))
		}
	}
	flush(len(s))
	const most = 64 // limits the cache: reasons with counters all differ
	if len(m.clean) >= most {
		clear(m.clean)
	}
	m.clean[s] = b.String()
	return b.String()
}
