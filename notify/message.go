package notify

import (
	"strconv"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/situation/plainly"
)

// message is what a target is told, as JSON and in the environment of commands.
// Its texts are clean.
type message struct {
	Target   string    `json:"target"`
	Event    Event     `json:"event"`
	Platform string    `json:"platform,omitempty"` // of several, which one
	ID       string    `json:"id"`
	Rule     string    `json:"rule"`
	Severity string    `json:"severity"`
	Scope    string    `json:"scope"`
	Code     string    `json:"code"`
	Channel  string    `json:"channel"`
	Text     string    `json:"text"` // one line for people, all of the others included
	Since    time.Time `json:"since"`
	Why      []string  `json:"why"`   // the causes of a situation in sentences, the largest first
	Helps    []string  `json:"helps"` // what would help, in phrases
	More     int       `json:"more"`  // other alerts that are told with this one
	Over     int       `json:"over"`  // how many of those are over

	label  string        // of Helps
	says   string        // what the alert says, without what happened to it
	lasted time.Duration // how long it was there; 0: it still is
}

func newMessage(target string, n news, more, over int) *message {
	a := &n.alert
	m := &message{
		Target: target, Event: n.event, Platform: clean(n.platform), ID: clean(a.ID), Rule: clean(a.Rule), Severity: a.Level.String(),
		Scope: string(a.Key.Scope), Code: clean(a.Key.Code), Channel: clean(string(a.Key.Channel)),
		Since: a.Since.UTC(), More: more, Over: over, says: clean(a.Text), Why: cleaned(n.why), Helps: cleaned(n.helps), label: n.label,
	}
	if m.Platform != "" {
		m.says = m.Platform + ": " + m.says
	}
	word := map[Event]string{Begin: m.Severity, Escalate: "now critical", End: "over"}[n.event]
	if n.event == End && !a.Ended.IsZero() && a.Ended.After(a.Since) && !a.Since.IsZero() {
		m.lasted = a.Ended.Sub(a.Since)
		word += " after " + m.lasted.Round(time.Second).String()
	}
	m.Text = strings.Join(append([]string{word + ": " + m.plain()}, m.reasons()...), ". ")
	return m
}

// reasons are why something is so and what would help, each in a line.
func (m *message) reasons() []string {
	var out []string
	if len(m.Why) > 0 {
		out = append(out, "Why: "+strings.TrimSuffix(strings.Join(m.Why, " "), "."))
	}
	if len(m.Helps) > 0 {
		out = append(out, plainly.Capital(m.label)+": "+strings.Join(m.Helps, "; "))
	}
	return out
}

func cleaned(texts []string) []string {
	out := []string{}
	for _, text := range texts {
		out = append(out, clean(text))
	}
	return out
}

func clean(s string) string { return model.CleanText(s, model.MaxBody) }

// environ returns the message for the environment of a command.
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
		{"HELPS", strings.Join(m.Helps, "; ")},
		{"SINCE", m.Since.Format(time.RFC3339)},
		{"MORE", strconv.Itoa(m.More)},
		{"OVER", strconv.Itoa(m.Over)},
	} {
		out = append(out, "WALLBOARD_"+v[0]+"="+v[1])
	}
	return out
}
