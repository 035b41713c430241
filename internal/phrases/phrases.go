// Package phrases formats channels, contacts, durations, counts and names of agents for sentences.
// [Format] formats figures for cells of tables and for sentences, and [Legend] explains the columns
// of tables. The functions have no side effects.
//
// Functions that return a string in English are for packages that do not tell their texts in the
// viewer's language yet. Package words has the texts.
package phrases

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

// ShortChannelName returns a short name of a channel, for the heading of a narrow column.
func ShortChannelName(ch model.Channel) string { return words.ShortChannelName(ch).In(words.English()) }

// BusyWord returns the word for an agent in the state BUSY on a channel.
func BusyWord(ch model.Channel) string { return words.BusyWord(ch).In(words.English()) }

// Channel returns the display name of a channel for use within a sentence, usually in lower case.
func Channel(ch model.Channel) string { return words.ChannelInSentence(ch).In(words.English()) }

// Floor returns the title of the figures of the floor on a channel: "The floor · chat".
func Floor(ch model.Channel) string { return words.Floor(ch).In(words.English()) }

// WaitingNouns returns the noun for contacts that wait on a channel, singular and plural.
func WaitingNouns(ch model.Channel) (one, many string) {
	return words.WaitingNoun(ch).In(words.English()), words.WaitingNouns(ch).In(words.English())
}

// Contacts returns the plural noun for contacts on a channel.
func Contacts(ch model.Channel) string { return words.ContactNouns(ch).In(words.English()) }

// contactNoun returns the noun that fits a formatted number of contacts on a channel.
func contactNoun(number string, ch model.Channel) string {
	if number == "1" {
		return words.ContactNoun(ch).In(words.English())
	}
	return Contacts(ch)
}

// MissedContacts returns a phrase for contacts on a channel that miss the target because they
// were answered late or, if abandoned is true, abandoned: "1 late call", "3 abandoned chats".
// number is their formatted number.
func MissedContacts(number string, ch model.Channel, abandoned bool) string {
	adjective := " late "
	if abandoned {
		adjective = " abandoned "
	}
	return number + adjective + contactNoun(number, ch)
}

// GoodContacts returns a phrase for consecutive contacts on a channel that meet the target: an
// answer on time or, if noneAbandoned is true, no abandonment. Examples are "1 call on time"
// and "3 chats in a row without abandonment". number is their formatted number.
func GoodContacts(number string, ch model.Channel, noneAbandoned bool) string {
	manner := " on time"
	if noneAbandoned {
		manner = " without abandonment"
	}
	if number != "1" {
		manner = " in a row" + manner
	}
	return number + " " + contactNoun(number, ch) + manner
}

// Count formats a number with its noun: "1 agent", "3 agents".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Agents formats a number of agents: "1 agent", "3 agents".
func Agents(n int) string { return words.CountAgents(n).In(words.English()) }

// Wait formats a waiting time, such as "0:58". An estimate becomes "about 0:58". If the unit
// is presumed, the result ends with "(presumed)".
func Wait(f model.Figure) string { return words.Wait(f).In(words.English()) }

// Number formats a number with at most one decimal.
func Number(v float64) string { return string(words.English().AppendNumber(nil, v)) }

// Capital returns text with its first letter in upper case.
func Capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// Sentence returns text without surrounding white space and with its first letter in upper
// case. It appends a full stop like [FullStop].
func Sentence(text string) string {
	return FullStop(Capital(strings.TrimSpace(text)))
}

// FullStop returns text without trailing blanks. It appends a full stop unless the text is
// empty or ends with a full stop, an exclamation mark or a question mark.
func FullStop(text string) string {
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

// Person returns the display name of an agent: the configured name, or else the name in the
// snapshot, or else the username. s may be nil.
func Person(s *model.Snapshot, names model.Names, username string, ch model.Channel) string {
	if name := names.Of(model.NameUser, username); name != username || s == nil {
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

// DistinctPerson is like [Person], but adds the username if another user has the same name.
func DistinctPerson(s *model.Snapshot, names model.Names, namesakes *model.Namesakes, username string, ch model.Channel) string {
	name := Person(s, names, username, ch)
	if name != username && namesakes.Has(username) {
		name += " (" + username + ")"
	}
	return name
}

// ASCII returns text unchanged if ascii is false. If ascii is true, because the terminal can
// only show ASCII, it replaces typographic dashes, dots and ellipses with ASCII characters.
func ASCII(text string, ascii bool) string {
	if !ascii {
		return text
	}
	return strings.NewReplacer("·", "-", "–", "-", "−", "-", "…", "...").Replace(text)
}

// ComponentName returns the display name of a component of an attendant.
func ComponentName(c model.Component) string { return words.ComponentName(c).In(words.English()) }
