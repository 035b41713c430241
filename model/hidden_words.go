package model

import (
	"slices"
	"strings"
	"unicode"
)

// hiddenWords is a set of words to hide in strings.
type hiddenWords struct {
	words map[string]bool   // hidden words in lower case
	cache map[string]string // result of maskText by text
}

func newHiddenWords() hiddenWords {
	return hiddenWords{words: make(map[string]bool), cache: make(map[string]string)}
}

// add adds the strings, and each of their words of more than one byte, to the hidden words.
func (m *hiddenWords) add(texts ...string) {
	for _, t := range texts {
		t = strings.ToLower(t)
		m.words[t] = true
		for w := range strings.FieldsFuncSeq(t, isWordBreak) {
			if len(w) > 1 {
				m.words[w] = true
			}
		}
	}
	delete(m.words, "")
	clear(m.cache)
}

func isWordBreak(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c)
}

// hideInHealth masks the hidden words in the error messages and reasons in h.
func (m *hiddenWords) hideInHealth(h *Health) {
	h.Link.Reason, h.Link.Trying = m.maskText(h.Link.Reason), m.maskText(h.Link.Trying)
	h.Notice, h.LastBadFrame = m.maskText(h.Notice), m.maskText(h.LastBadFrame)
	h.Search.Failed = m.maskText(h.Search.Failed)
	h.Subscriptions = slices.Clone(h.Subscriptions)
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		s.Reason = m.maskText(s.Reason)
	}
}

// maskText returns s with an ellipsis instead of each hidden word.
func (m *hiddenWords) maskText(s string) string {
	if s == "" {
		return s
	}
	if clean, ok := m.cache[s]; ok {
		return clean
	}
	var b strings.Builder
	word := 0
	flush := func(end int) {
		if w := s[word:end]; m.words[strings.ToLower(w)] {
			b.WriteString("…")
		} else {
			b.WriteString(w)
		}
	}
	for i, c := range s {
		if isWordBreak(c) {
			flush(i)
			b.WriteRune(c)
			word = i + len(string(c))
		}
	}
	flush(len(s))
	const most = 64 // limits the cache, because reasons that contain counters all differ
	if len(m.cache) >= most {
		clear(m.cache)
	}
	m.cache[s] = b.String()
	return b.String()
}
