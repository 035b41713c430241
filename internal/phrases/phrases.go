// Package phrases formats the words of situations: channels, contacts, durations,
// counts and names of agents; and it explains the columns of the tables. It is pure.
package phrases

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wallboard/model"
)

// Channel returns the display name of a channel in lower case.
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

// WaitingNouns returns the noun for contacts that wait on a channel, in singular and plural.
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
	if ch == model.Call {
		return "calls"
	}
	_, many := WaitingNouns(ch)
	return many
}

// Count formats a number with its noun: "1 agent", "3 agents".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Agents formats a number of agents.
func Agents(n int) string { return Count(n, "agent", "agents") }

// Duration formats a duration: "0:58", "1:10:05".
func Duration(d time.Duration) string {
	s := int64(max(d, 0) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Lasting returns how long something lasted, between two texts: " (" + "0:58" + ")". It returns "" for less
// than a second.
func Lasting(before string, d time.Duration, after string, format func(time.Duration) string) string {
	if d < time.Second {
		return ""
	}
	return before + format(d) + after
}

// Wait formats a waiting time: "0:58", "about 0:58" for an estimate, and
// "0:58 (presumed)" if its unit is presumed.
func Wait(f model.Figure) string {
	d, _ := f.Seconds()
	text := Duration(d)
	if f.Estimated() {
		text = "about " + text
	}
	if f.Presumed() {
		text += " (presumed)"
	}
	return text
}

// Seconds formats a number of seconds as [Duration] does, rounded.
func Seconds(s float64) string { return Duration(time.Duration(s+0.5) * time.Second) }

// Number formats a figure with at most one decimal.
func Number(v float64) string {
	if v < 0.05 && v > -0.05 {
		return "0"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}

// Capital capitalizes the first letter.
func Capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// Sentence capitalizes the first letter and adds a full stop if needed.
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

// Person returns the display name of an agent: the configured name, else the name in
// the snapshot, else the username.
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

// ASCII replaces typographic characters if the terminal supports only ASCII.
func ASCII(text string, ascii bool) string {
	if !ascii {
		return text
	}
	return strings.NewReplacer("·", "-", "–", "-", "−", "-", "…", "...").Replace(text)
}

// ApproxDuration formats an estimated duration in seconds, minutes or hours.
func ApproxDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(max(d.Round(10*time.Second), 10*time.Second)/time.Second)) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Round(time.Minute)/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d.Round(time.Hour)/time.Hour)) + " h"
}
