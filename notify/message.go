package notify

import (
	"strconv"
	"time"

	"wallboard/model"
)

// message is what a target is told, as JSON and in the environment of commands.
// Its texts are clean.
type message struct {
	Target   string    `json:"target"`
	Event    Event     `json:"event"`
	ID       string    `json:"id"`
	Rule     string    `json:"rule"`
	Severity string    `json:"severity"`
	Scope    string    `json:"scope"`
	Code     string    `json:"code"`
	Channel  string    `json:"channel"`
	Text     string    `json:"text"` // one line for people, all of the others included
	Since    time.Time `json:"since"`
	More     int       `json:"more"` // other alerts that are told with this one
}

func newMessage(target string, n news, more int) *message {
	a := &n.alert
	m := &message{
		Target: target, Event: n.event, ID: clean(a.ID), Rule: clean(a.Rule), Severity: a.Level.String(),
		Scope: string(a.Key.Scope), Code: clean(a.Key.Code), Channel: clean(string(a.Key.Channel)),
		Since: a.Since.UTC(), More: more,
	}
	m.Text = map[Event]string{Begin: m.Severity, Escalate: "now critical", End: "over"}[n.event] + ": " + clean(a.Text)
	if more > 0 {
		m.Text += " (and " + strconv.Itoa(more) + " more)"
	}
	return m
}

func clean(s string) string { return model.CleanText(s, model.MaxBody) }

// environ returns the message for the environment of a command.
func (m *message) environ() []string {
	var out []string
	for _, v := range [][2]string{
		{"TARGET", m.Target},
		{"EVENT", string(m.Event)},
		{"ID", m.ID},
		{"RULE", m.Rule},
		{"SEVERITY", m.Severity},
		{"SCOPE", m.Scope},
		{"CODE", m.Code},
		{"CHANNEL", m.Channel},
		{"TEXT", m.Text},
		{"SINCE", m.Since.Format(time.RFC3339)},
		{"MORE", strconv.Itoa(m.More)},
	} {
		out = append(out, "WALLBOARD_"+v[0]+"="+v[1])
	}
	return out
}
