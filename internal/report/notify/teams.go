package notify

import "strconv"

// The formats of a webhook body.
const (
	FormJSON  = "json"  // the alert with all its data
	FormTeams = "teams" // a Microsoft Teams message, for the webhook of a workflow
)

// teamsMessage is the message for the trigger "When a Teams webhook request is received" of
// Microsoft Workflows: an Adaptive Card. Version 1.2 is the first with RichTextBlock, which
// shows text literally, so names from the platform cannot contain Markdown or links.
type teamsMessage struct {
	Type        string            `json:"type"`
	Attachments []teamsAttachment `json:"attachments"`
}

type teamsAttachment struct {
	ContentType string    `json:"contentType"`
	ContentURL  *string   `json:"contentUrl"` // null
	Content     teamsCard `json:"content"`
}

type teamsCard struct {
	Schema   string       `json:"$schema"`
	Type     string       `json:"type"`
	Version  string       `json:"version"`
	Fallback string       `json:"fallbackText"`
	Body     []teamsBlock `json:"body"`
}

type teamsBlock struct {
	Type    string     `json:"type"`
	Inlines []teamsRun `json:"inlines"`
}

type teamsRun struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Size   string `json:"size,omitempty"`
	Weight string `json:"weight,omitempty"`
	Color  string `json:"color,omitempty"`
	Subtle bool   `json:"isSubtle,omitempty"`
}

// maxTeamsText limits a text of a card; a whole message may have 28 KB.
const maxTeamsText = 2000

func newTeamsMessage(m *message) teamsMessage {
	color := map[string]string{"warning": "warning", "critical": "attention"}[m.Severity]
	if m.Event == End {
		color = "good"
	}
	run := func(r teamsRun) teamsBlock {
		r.Type, r.Text = "TextRun", truncate(r.Text, maxTeamsText)
		return teamsBlock{Type: "RichTextBlock", Inlines: []teamsRun{r}}
	}
	body := []teamsBlock{
		run(teamsRun{Text: m.headline(), Weight: "bolder", Size: "medium", Color: color}),
		run(teamsRun{Text: m.bodyText()}),
	}
	for _, text := range m.details() {
		body = append(body, run(teamsRun{Text: text}))
	}
	return teamsMessage{Type: "message", Attachments: []teamsAttachment{{
		ContentType: "application/vnd.microsoft.card.adaptive",
		Content: teamsCard{
			Schema: "http://adaptivecards.io/schemas/adaptive-card.json", Type: "AdaptiveCard", Version: "1.2",
			Fallback: truncate(m.Text, maxTeamsText),
			Body:     append(body, run(teamsRun{Text: m.ruleAndPlace(), Size: "small", Subtle: true})),
		},
	}}}
}

// headline returns the change in a word or two: "Critical", "Now critical", "Over".
func (m *message) headline() string {
	switch m.Event {
	case Begin:
		if m.Severity == "critical" {
			return "Critical"
		}
		return "Warning"
	case Escalate:
		return "Now critical"
	case End:
	}
	return "Over" + m.afterText()
}

// ruleAndPlace returns rule, record and start time on one line.
func (m *message) ruleAndPlace() string {
	text := m.Rule + " · " + m.Scope + " " + m.Code
	if m.Channel != "" {
		text += " · " + m.Channel
	}
	return text + " · since " + m.Since.Format("2006-01-02 15:04:05 MST")
}

// bodyText returns the alert's text and the number of further alerts.
func (m *message) bodyText() string {
	switch {
	case m.OtherCount > 0 && m.EndedCount > 0:
		return m.alertText + " (and " + strconv.Itoa(m.OtherCount) + " more, " + strconv.Itoa(m.EndedCount) + " of them over)"
	case m.OtherCount > 0:
		return m.alertText + " (and " + strconv.Itoa(m.OtherCount) + " more)"
	}
	return m.alertText
}

// truncate shortens a text to a number of characters.
func truncate(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
