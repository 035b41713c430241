package handover

import (
	"context"
	"strings"
	"time"

	"wallboard/internal/words"
)

// Document is a report that a user sends.
type Document struct {
	Subject string
	Text    string // text of the report in Markdown
	At      time.Time
}

// NewDocument returns a document with text, the Markdown of the report r.
func NewDocument(r *Report, text string) Document {
	w := &writer{Report: *r}
	title := words.HandoverTitle()
	if r.Site != "" {
		title = words.HandoverTitleSite(r.Site)
	}
	return Document{Subject: w.tell(words.HandoverSubject(title, words.DateYear(r.At), w.clockText(r.From), w.clockText(r.At))), Text: text, At: r.At}
}

// Summary returns the three sentences at the top of the report, without Markdown syntax.
func (d *Document) Summary() []string {
	var out []string
	for line := range strings.Lines(d.Text) {
		switch {
		case strings.HasPrefix(line, "- **"):
			out = append(out, StripMarkdown(strings.TrimPrefix(strings.TrimSpace(line), "- ")))
		case strings.HasPrefix(line, "## "):
			return out
		}
	}
	return out
}

// Sender sends reports to recipients outside the board.
type Sender interface {
	// Recipients returns the recipients, each with the way in which it gets a report, such as
	// "Anna (mail)". The list is empty if none is configured.
	Recipients() []string
	// Send sends a document to the given recipients. It waits for all deliveries and returns
	// their results in the order of recipients.
	Send(ctx context.Context, d Document, recipients []string) []Delivery
}

// Delivery is the result of sending a report to a recipient.
type Delivery struct {
	Recipient string
	Err       error // nil: the report was sent
	Unknown   bool  // Err is set, but the report may have arrived
}

// Text describes the result, such as "Anna (mail): sent".
func (d Delivery) Text() words.Text {
	switch {
	case d.Err == nil:
		return words.HandoverSent(d.Recipient)
	case d.Unknown:
		return words.HandoverMayBeSent(d.Recipient, words.TextOf(d.Err))
	}
	return words.HandoverNotSent(d.Recipient, words.TextOf(d.Err))
}
