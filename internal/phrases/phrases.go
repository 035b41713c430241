// Package phrases formats channels, contacts, durations, counts and names of agents for sentences.
// [Format] formats figures for cells of tables and for sentences, and [Legend] explains the columns
// of tables. The functions have no side effects.
package phrases

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"wallboard/model"
)

// ChannelName returns the display name of a channel. For a channel that document 2 does not
// list, it returns the code.
func ChannelName(ch model.Channel) string {
	switch ch {
	case model.Call:
		return "Calls"
	case model.Custom1:
		return "Custom 1"
	case model.Custom2:
		return "Custom 2"
	case model.Custom3:
		return "Custom 3"
	case model.Video:
		return "Video"
	case model.Chat:
		return "Chat"
	case model.MailACD:
		return "Mail"
	case model.LiveHelp:
		return "Live help"
	case model.OmniDesk:
		return "OmniDesk"
	}
	return string(ch)
}

// ShortChannelName returns a short name of a channel, for the heading of a narrow column.
func ShortChannelName(ch model.Channel) string {
	switch ch {
	case model.Custom1:
		return "Cust 1"
	case model.Custom2:
		return "Cust 2"
	case model.Custom3:
		return "Cust 3"
	case model.LiveHelp:
		return "Live"
	case model.OmniDesk:
		return "Omni"
	case model.Call, model.Video, model.Chat, model.MailACD:
	}
	return ChannelName(ch)
}

// BusyWord returns the word for an agent in the state BUSY on a channel.
func BusyWord(ch model.Channel) string {
	switch ch {
	case model.Chat, model.MailACD, model.LiveHelp, model.OmniDesk,
		model.Custom1, model.Custom2, model.Custom3:
		return "Handling"
	case model.Call, model.Video:
	}
	return "Talking"
}

// Channel returns the display name of a channel for use within a sentence, usually in lower case.
func Channel(ch model.Channel) string {
	if ch == model.OmniDesk {
		return ChannelName(ch)
	}
	return strings.ToLower(strings.ReplaceAll(ChannelName(ch), "_", " "))
}

// WaitingNouns returns the noun for contacts that wait on a channel, singular and plural.
func WaitingNouns(ch model.Channel) (one, many string) {
	switch ch {
	case model.Call:
		return "caller", "callers"
	case model.Chat, model.LiveHelp:
		return "chat", "chats"
	case model.MailACD:
		return "mail", "mails"
	case model.Custom1, model.Custom2, model.Custom3, model.Video, model.OmniDesk:
	}
	return "contact", "contacts"
}

// Contacts returns the plural noun for contacts on a channel.
func Contacts(ch model.Channel) string {
	_, many := contactNouns(ch)
	return many
}

// contactNouns returns the noun for contacts on a channel, singular and plural.
func contactNouns(ch model.Channel) (one, many string) {
	if ch == model.Call {
		return "call", "calls"
	}
	return WaitingNouns(ch)
}

// contactNoun returns the noun that fits a formatted number of contacts on a channel.
func contactNoun(number string, ch model.Channel) string {
	one, many := contactNouns(ch)
	if number == "1" {
		return one
	}
	return many
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
func Agents(n int) string { return Count(n, "agent", "agents") }

// Wait formats a waiting time, such as "0:58". An estimate becomes "about 0:58". If the unit
// is presumed, the result ends with "(presumed)".
func Wait(f model.Figure) string {
	d, _ := f.Seconds()
	text := Duration(d)
	if f.Estimated() {
		text = "about " + text
	}
	if f.UnitPresumed() {
		text += " (presumed)"
	}
	return text
}

// Number formats a number with at most one decimal.
func Number(v float64) string {
	if v < 0.05 && v > -0.05 {
		return "0"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}

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
func ComponentName(c model.Component) string {
	switch c {
	case model.ComponentAll:
		return "All"
	case model.ComponentInternal:
		return "Internal"
	case model.ComponentExternal:
		return "External"
	case model.ComponentReturns:
		return "Returns"
	}
	return string(c)
}
