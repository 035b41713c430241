package breaks

import (
	"slices"
	"strings"
	"unicode"
)

// maxNameLength limits the number of bytes of a name that are examined.
const maxNameLength = 200

// GuessKind returns the kind of break that a name indicates. If the name indicates no kind or more than
// one, such as "Training lunch", it returns "". Only whole words count.
func GuessKind(name string) Kind {
	words := splitWords(name)
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(negations(), w) }) {
		return ""
	}
	text := " " + strings.Join(words, " ") + " "
	var found Kind
	for _, k := range Kinds() {
		remaining := removeTerms(text, k.terms())
		if remaining == text {
			continue
		}
		if found != "" {
			return ""
		}
		found = k
		text = remaining // remove the words, so that "bio pause" does not also count as a pause
	}
	isBreak := removeTerms(text, breakTerms()) != text
	switch {
	case !isBreak, found == ShortBreak, found == Lunch, found == Restroom:
		return found
	case found == "":
		return ShortBreak
	}
	return ""
}

// removeTerms removes all occurrences of the terms from text. In text, a blank precedes and follows
// each word.
func removeTerms(text string, terms []string) string {
	for _, t := range terms {
		for strings.Contains(text, " "+t+" ") {
			text = strings.Replace(text, " "+t+" ", " ", 1)
		}
	}
	return text
}

// splitWords returns the words of a name in lower case and without accents. Digits form a separate
// word, and a capital letter begins a new word: "LunchBreak2" has three words.
func splitWords(name string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	var last rune
	for i, r := range name {
		if i >= maxNameLength {
			break
		}
		switch {
		case unicode.Is(unicode.Mn, r): // a combining accent
			continue
		case unicode.IsLetter(r):
			if unicode.IsDigit(last) || unicode.IsUpper(r) && unicode.IsLower(last) {
				end()
			}
			word.WriteString(foldRune(unicode.ToLower(r)))
		case unicode.IsDigit(r):
			if !unicode.IsDigit(last) {
				end()
			}
			word.WriteRune(r)
		default:
			end()
		}
		last = r
	}
	end()
	return out
}

// foldRune returns a lower-case letter without its accent.
func foldRune(r rune) string {
	switch {
	case strings.ContainsRune("àáâãäå", r):
		return "a"
	case strings.ContainsRune("èéêë", r):
		return "e"
	case strings.ContainsRune("ìíîï", r):
		return "i"
	case strings.ContainsRune("òóôõö", r):
		return "o"
	case strings.ContainsRune("ùúûü", r):
		return "u"
	case r == 'ç':
		return "c"
	case r == 'ñ':
		return "n"
	case r == 'ß':
		return "ss"
	}
	return string(r)
}
