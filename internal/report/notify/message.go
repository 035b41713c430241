package notify

import (
	"strconv"
	"strings"
	"time"

	"wallboard/internal/phrases"
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
	Why        []string  `json:"why"`   // causes of a situation as sentences, largest first
	Remedies   []string  `json:"helps"` // remedies as phrases
	OtherCount int       `json:"more"`  // number of other alerts in this message
	EndedCount int       `json:"over"`  // number of alerts in OtherCount that have ended

	remedyLabel string        // heading of Remedies
	alertText   string        // text of the alert, without the event
	duration    time.Duration // how long an ended alert lasted; 0: it is still active, or the duration is unknown
}

func newMessage(target string, n pendingMessage, more, ended int) *message {
	a := &n.alert
	m := &message{
		Target: target, Event: n.event, Platform: cleanText(n.platform), ID: cleanText(a.ID), Rule: cleanText(a.Rule), Severity: a.Level.String(),
		Scope: string(a.Key.Scope), Code: cleanText(a.Key.Code), Channel: cleanText(string(a.Key.Channel)),
		Since: a.Since.UTC(), OtherCount: more, EndedCount: ended, alertText: cleanText(a.Text), Why: cleanTexts(n.why), Remedies: cleanTexts(n.remedies), remedyLabel: n.remedyLabel,
	}
	if m.Platform != "" {
		m.alertText = m.Platform + ": " + m.alertText
	}
	word := map[Event]string{Begin: m.Severity, Escalate: "now critical", End: "resolved"}[n.event]
	if n.event == End && !a.Ended.IsZero() && a.Ended.After(a.Since) && !a.Since.IsZero() {
		m.duration = a.Ended.Sub(a.Since)
		word += m.afterText()
	}
	m.Text = strings.Join(append([]string{word + ": " + m.bodyText()}, m.details()...), ". ")
	return m
}

// afterText returns the duration of an ended alert, such as " after 1:05". It returns "" if the
// alert has not ended or its duration is unknown.
func (m *message) afterText() string {
	return phrases.BracketedDuration(" after ", m.duration, "", phrases.Duration)
}

// details returns a line with the causes and a line with the remedies, leaving out empty lines.
func (m *message) details() []string {
	var out []string
	if len(m.Why) > 0 {
		out = append(out, "Why: "+strings.TrimSuffix(strings.Join(m.Why, " "), "."))
	}
	if len(m.Remedies) > 0 {
		out = append(out, phrases.Capital(m.remedyLabel)+": "+strings.Join(m.Remedies, "; "))
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
		{"MORE", strconv.Itoa(m.OtherCount)},
		{"OVER", strconv.Itoa(m.EndedCount)},
	} {
		out = append(out, "WALLBOARD_"+v[0]+"="+v[1])
	}
	return out
}
