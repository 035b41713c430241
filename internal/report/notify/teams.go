package notify

import "wallboard/internal/words"

// Formats of the body of a webhook request.
const (
	FormJSON  = "json"  // a message with all its data
	FormNtfy  = "ntfy"  // a message for a topic of an ntfy server, whose address the webhook is
	FormTeams = "teams" // a message for the webhook of a workflow in Microsoft Teams
)

// teamsMessage is the request body for the trigger "When a Teams webhook request is received"
// of Microsoft Workflows. It contains an Adaptive Card of version 1.2, the first version with
// the element RichTextBlock. This element displays text literally, so names from the platform
// cannot contain Markdown or links.
type teamsMessage struct {
	Type        string            `json:"type"`
	Attachments []teamsAttachment `json:"attachments"`
}

type teamsAttachment struct {
	ContentType string    `json:"contentType"`
	ContentURL  *string   `json:"contentUrl"` // always null
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

// maxTeamsText limits the length of each text of a card, in characters. The whole request may
// have at most 28 KB.
const maxTeamsText = 2000

func newTeamsMessage(m *message) teamsMessage {
	color := map[string]string{"warning": "warning", "critical": "attention"}[m.Severity]
	if m.Event == EventEnd {
		color = "good"
	}
	body := []teamsBlock{
		newTeamsBlock(teamsRun{Text: m.headline(), Weight: "bolder", Size: "medium", Color: color}),
		newTeamsBlock(teamsRun{Text: m.bodyText()}),
	}
	for _, text := range m.details() {
		body = append(body, newTeamsBlock(teamsRun{Text: text}))
	}
	return newTeamsCard(m.Text, append(body, newTeamsBlock(teamsRun{Text: m.ruleAndPlace(), Size: "small", Subtle: true})))
}

// newTeamsDocument returns a message with lines of a report.
func newTeamsDocument(title string, lines []teamsLine) teamsMessage {
	body := []teamsBlock{newTeamsBlock(teamsRun{Text: title, Weight: "bolder", Size: "medium"})}
	for _, l := range lines {
		body = append(body, teamsText(l))
	}
	return newTeamsCard(title, body)
}

func teamsText(l teamsLine) teamsBlock {
	if l.heading {
		return newTeamsBlock(teamsRun{Text: l.text, Weight: "bolder"})
	}
	return newTeamsBlock(teamsRun{Text: l.text})
}

// newTeamsBlock returns a block with the run r, truncated if it is too long.
func newTeamsBlock(r teamsRun) teamsBlock {
	r.Type, r.Text = "TextRun", truncate(r.Text, maxTeamsText)
	return teamsBlock{Type: "RichTextBlock", Inlines: []teamsRun{r}}
}

// newTeamsCard returns a message with a single card.
func newTeamsCard(fallback string, body []teamsBlock) teamsMessage {
	return teamsMessage{Type: "message", Attachments: []teamsAttachment{{
		ContentType: "application/vnd.microsoft.card.adaptive",
		Content: teamsCard{
			Schema: "http://adaptivecards.io/schemas/adaptive-card.json", Type: "AdaptiveCard", Version: "1.2",
			Fallback: truncate(fallback, maxTeamsText),
			Body:     body,
		},
	}}}
}

// ruleAndPlace returns a line with the rule, the record and the start time of the alert.
func (m *message) ruleAndPlace() string {
	text := m.Rule + " · " + m.Scope + " " + m.Code
	if m.Channel != "" {
		text += " · " + m.Channel
	}
	return text + " · " + words.NotifySince(m.Since.Format("2006-01-02 15:04:05 MST")).In(m.words)
}

// bodyText returns the text of the alert and, if the message is about further alerts, their number.
func (m *message) bodyText() string {
	switch {
	case m.OtherCount > 0 && m.EndedCount > 0:
		return words.NotifyAndMoreResolved(m.alertText, m.OtherCount, m.EndedCount).In(m.words)
	case m.OtherCount > 0:
		return words.NotifyAndMore(m.alertText, m.OtherCount).In(m.words)
	}
	return m.alertText
}

// truncate returns text, shortened if it has more characters than most allows. A shortened
// text ends with "…".
func truncate(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
