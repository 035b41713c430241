// Package plainly has the words that situations are told in: who contacts us on a
// channel, how long something takes, what people are called. Pure.
package plainly

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wallboard/model"
)

// Channel returns what people call a channel, in lower case.
func Channel(ch model.Channel) string {
	switch ch {
	case model.Call:
		return "calls"
	case model.Video:
		return "video"
	case model.Chat:
		return "chat"
	case model.MailACD:
		return "mail"
	case model.LiveHelp:
		return "live help"
	case model.OmniDesk:
		return "OmniDesk"
	case model.Custom1, model.Custom2, model.Custom3:
	}
	return strings.ToLower(strings.ReplaceAll(string(ch), "_", " "))
}

// Waiting returns the noun of who or what waits on a channel, for one and for many.
func Waiting(ch model.Channel) (one, many string) {
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

// Contacts returns the noun of contacts on a channel.
func Contacts(ch model.Channel) string {
	if ch == model.Call {
		return "calls"
	}
	_, many := Waiting(ch)
	return many
}

// Count writes a number with its noun: "1 agent", "3 agents".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Agents writes how many agents.
func Agents(n int) string { return Count(n, "agent", "agents") }

// Span writes a duration as a supervisor reads it: "0:58", "1:10:05".
func Span(d time.Duration) string {
	s := int64(max(d, 0) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Wait writes how long somebody waits: "0:58", "about 0:58" of an estimate, and
// "0:58 (presumed)" in a unit that is presumed.
func Wait(f model.Figure) string {
	d, _ := f.Seconds()
	text := Span(d)
	if f.Estimated() {
		text = "about " + text
	}
	if f.Presumed() {
		text += " (presumed)"
	}
	return text
}

// Seconds writes a length in seconds as [Span] does, to the next second.
func Seconds(s float64) string { return Span(time.Duration(s+0.5) * time.Second) }

// Number writes a figure with one decimal at most.
func Number(v float64) string {
	if v < 0.05 && v > -0.05 {
		return "0"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}

// Capital begins a text with a capital letter.
func Capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// Sentence begins a text with a capital letter and ends it with a full stop.
func Sentence(text string) string {
	text = Capital(strings.TrimSpace(text))
	if text == "" {
		return ""
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// Person returns what people call an agent, as a snapshot has the name; the user
// name where it has none.
func Person(s *model.Snapshot, names model.Names, username string, ch model.Channel) string {
	if name := names.Of(model.NameUser, username); name != username {
		return name
	}
	var first, last string
	if r := s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch}); r != nil {
		first, last = r.Name.String(), r.Surname.String()
	}
	if u := s.Users.Get(username); first+last == "" && u != nil {
		first, last = u.Name.String(), u.Surname.String()
	}
	if name := strings.TrimSpace(last + " " + first); name != "" {
		return name
	}
	return username
}

// Signs is a text with the signs that a terminal of ASCII characters has.
func Signs(text string, ascii bool) string {
	if !ascii {
		return text
	}
	return strings.NewReplacer("·", "-", "–", "-", "−", "-", "…", "...").Replace(text)
}

// About is a duration as it is foretold: in minutes, or seconds below one.
func About(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(max(d.Round(10*time.Second), 10*time.Second)/time.Second)) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Round(time.Minute)/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d.Round(time.Hour)/time.Hour)) + " h"
}
