package notify

import (
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
)

// message is the content that a target receives. Commands and webhooks get it as JSON, and
// commands also in environment variables. Its strings contain no control characters.
type message struct {
	Target     string    `json:"target"`
	Event      Event     `json:"event"`
	Platform   string    `json:"platform,omitempty"` // name of the platform; "": there is only one
	ID         string    `json:"id"`
	Rule       string    `json:"rule"`
	Severity   string    `json:"severity"`
	Scope      string    `json:"scope"`
	Code       string    `json:"code"`
	Channel    string    `json:"channel"`
	Text       string    `json:"text"` // whole message in one line, for readers
	Since      time.Time `json:"since"`
	Why        []string  `json:"why"`            // causes of a situation as sentences, largest first
	Remedies   []string  `json:"helps"`          // remedies as phrases
	OtherCount int       `json:"more"`           // number of other alerts in this message
	EndedCount int       `json:"over"`           // number of alerts in OtherCount that have ended
	Link       string    `json:"link,omitempty"` // address of a page about the beginning; "": there is none

	remedyLabel string        // heading of Remedies
	alertText   string        // text of the alert, without the event
	duration    time.Duration // how long an ended alert lasted; 0: it is still active, or the duration is unknown
	words       *words.Language
}

// newMessage returns a message in a language; nil means English.
func newMessage(target string, n pendingMessage, more, ended int, l *words.Language) *message {
	a := &n.alert
	m := &message{
		Target: target, Event: n.event, Platform: cleanText(n.platform), ID: cleanText(a.ID), Rule: cleanText(a.Rule), Severity: a.Level.String(),
		Scope: string(a.Key.Scope), Code: cleanText(a.Key.Code), Channel: cleanText(string(a.Key.Channel)),
		Since: a.Since.UTC(), OtherCount: more, EndedCount: ended, alertText: cleanText(a.Text), Why: cleanTexts(n.causes), Remedies: cleanTexts(n.remedies), remedyLabel: n.remedyLabel, words: l,
	}
	if m.Platform != "" {
		m.alertText = words.RuleMessage(words.Name(m.Platform), words.Name(m.alertText)).In(l)
	}
	if n.event == EventEnd && !a.Ended.IsZero() && a.Ended.After(a.Since) && !a.Since.IsZero() {
		m.duration = a.Ended.Sub(a.Since)
	}
	m.Text = strings.Join(append([]string{words.NotifyLine(m.eventText(), words.Name(m.bodyText())).In(l)}, m.details()...), ". ")
	return m
}

// eventText describes the event within a line, such as "critical" or "resolved after 1:05".
func (m *message) eventText() words.Text {
	switch {
	case m.Event == EventBegin && m.Severity == alert.Critical.String():
		return words.NotifyCritical()
	case m.Event == EventBegin:
		return words.NotifyWarning()
	case m.Event == EventEscalate:
		return words.NotifyNowCritical()
	case m.duration < time.Second:
		return words.NotifyResolved()
	}
	return words.NotifyResolvedAfter(m.duration)
}

// headline describes the event in a few words, such as "Critical", "Now critical" or "Resolved
// after 1:05".
func (m *message) headline() string {
	text := words.NotifyTitleResolvedAfter(m.duration)
	switch {
	case m.Event == EventBegin && m.Severity == alert.Critical.String():
		text = words.NotifyTitleCritical()
	case m.Event == EventBegin:
		text = words.NotifyTitleWarning()
	case m.Event == EventEscalate:
		text = words.NotifyTitleNowCritical()
	case m.duration < time.Second:
		text = words.NotifyTitleResolved()
	}
	return text.In(m.words)
}

// details returns a line with the causes and a line with the remedies, leaving out empty lines.
func (m *message) details() []string {
	var out []string
	if len(m.Why) > 0 {
		out = append(out, words.NotifyWhy(strings.TrimSuffix(strings.Join(m.Why, " "), ".")).In(m.words))
	}
	if len(m.Remedies) > 0 {
		helps := words.HelpSentence(m.remedyLabel, words.JoinClauses(words.NameTexts(m.Remedies)...)).In(m.words)
		out = append(out, strings.TrimSuffix(helps, "."))
	}
	return out
}

func cleanTexts(texts []string) []string {
	out := []string{}
	for _, text := range texts {
		out = append(out, cleanText(text))
	}
	return out
}

func cleanText(s string) string { return model.CleanText(s, model.MaxBody) }

// environ returns the message as environment variables for a command, in the form NAME=VALUE.
func (m *message) environ() []string {
	var out []string
	for _, v := range [][2]string{
		{"TARGET", m.Target},
		{"EVENT", string(m.Event)},
		{"PLATFORM", m.Platform},
		{"ID", m.ID},
		{"RULE", m.Rule},
		{"SEVERITY", m.Severity},
		{"SCOPE", m.Scope},
		{"CODE", m.Code},
		{"CHANNEL", m.Channel},
		{"TEXT", m.Text},
		{"WHY", strings.Join(m.Why, " ")},
		{"HELPS", strings.Join(m.Remedies, "; ")},
		{"SINCE", m.Since.Format(time.RFC3339)},
		{"LINK", m.Link},
		{"MORE", strconv.Itoa(m.OtherCount)},
		{"OVER", strconv.Itoa(m.EndedCount)},
	} {
		out = append(out, "WALLBOARD_"+v[0]+"="+v[1])
	}
	return out
}
