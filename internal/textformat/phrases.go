// Package textformat formats channels, contacts, durations, counts and names of agents for sentences.
// [Format] formats figures for cells of tables and for sentences, and [Legend] explains the columns
// of tables. The functions have no side effects.
//
// Functions that return a string in English are for packages that do not translate their texts yet.
// Package words has the texts in the viewer's language.
package textformat

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"wallboard/internal/words"
	"wallboard/model"
)

// ChannelName returns the display name of a channel. For a channel that document 2 does not
// list, it returns the code.
func ChannelName(ch model.Channel) string { return words.ChannelName(ch).In(words.English()) }

// ChannelNoun returns the display name of a channel for use within a sentence, usually in lower case.
func ChannelNoun(ch model.Channel) string { return words.ChannelInSentence(ch).In(words.English()) }

// FloorTitle returns the title of the figures of the floor on a channel: "The floor · chat".
func FloorTitle(ch model.Channel) string { return words.FloorTitle(ch).In(words.English()) }

// CountWithNoun formats a number with its noun: "1 agent", "3 agents".
func CountWithNoun(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Number formats a number with at most one decimal.
func Number(v float64) string { return string(words.English().AppendNumber(nil, v)) }

// Capitalize returns text with its first letter in upper case.
func Capitalize(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// Sentence returns text without surrounding white space and with its first letter in upper
// case. It appends a full stop like [AddFullStop].
func Sentence(text string) string {
	return AddFullStop(Capitalize(strings.TrimSpace(text)))
}

// AddFullStop returns text without trailing blanks. It appends a full stop unless the text is
// empty or ends with a full stop, an exclamation mark or a question mark.
func AddFullStop(text string) string {
	text = strings.TrimRight(text, " ")
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// FullName returns the surname and the name of an agent separated by a blank, or the username
// if both are empty.
func FullName(surname, name model.Text, username string) string {
	return cmp.Or(strings.TrimSpace(strings.TrimSpace(surname.String())+" "+strings.TrimSpace(name.String())), username)
}

// PersonName returns the display name of an agent: the configured name, or else the name in the
// snapshot, or else the username. s may be nil.
func PersonName(s *model.Snapshot, names model.Names, username string, ch model.Channel) string {
	if name := names.NameOf(model.NameUser, username); name != username || s == nil {
		return name
	}
	if r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch}); r != nil {
		if name := FullName(r.Surname, r.Name, ""); name != "" {
			return name
		}
	}
	if u := s.Users.Get(username); u != nil {
		return FullName(u.Surname, u.Name, username)
	}
	return username
}

// DistinctPersonName is like [PersonName], but adds the username if another user has the same name.
func DistinctPersonName(s *model.Snapshot, names model.Names, namesakes *model.Namesakes, username string, ch model.Channel) string {
	name := PersonName(s, names, username, ch)
	if name != username && namesakes.Has(username) {
		name += " (" + username + ")"
	}
	return name
}

// ToASCII returns text unchanged if ascii is false. If ascii is true, because the terminal can
// only show ASCII, it replaces typographic dashes, dots and ellipses with ASCII characters.
func ToASCII(text string, ascii bool) string {
	if !ascii {
		return text
	}
	return strings.NewReplacer("·", "-", "–", "-", "−", "-", "…", "...").Replace(text)
}
