package handover

import (
	"context"
	"fmt"
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model/contact"
)

// Document is a report that a user sends.
type Document struct {
	Subject string
	Text    string // text of the report in Markdown
	At      time.Time
	Words   *words.Language // language of the report; nil: English
}

// NewDocument returns a document with text, the Markdown of the report r.
func NewDocument(r *Report, text string) Document {
	w := &writer{Report: *r}
	title := words.DialogHandover()
	if r.Site != "" {
		title = words.HandoverTitleSite(r.Site)
	}
	return Document{Subject: w.translate(words.HandoverSubject(title, words.DateYear(r.At), w.clockText(r.From), w.clockText(r.At))), Text: text, At: r.At, Words: r.input.Words}
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
	Recipient      string
	Err            error // nil: the report was sent
	MayHaveArrived bool  // Err is set, but the report may have arrived
}

// Text describes the result, such as "Anna (mail): sent".
func (d Delivery) Text() words.Text {
	switch {
	case d.Err == nil:
		return words.HandoverSent(d.Recipient)
	case d.MayHaveArrived:
		return words.HandoverMayBeSent(d.Recipient, words.TextOf(d.Err))
	}
	return words.HandoverNotSent(d.Recipient, words.TextOf(d.Err))
}

// SendAll sends a document and returns the result for each recipient as lines of text, in English. It
// returns an error if the delivery to a recipient failed.
func SendAll(ctx context.Context, s Sender, recipients []string, d Document) (results string, err error) {
	failed := 0
	for _, one := range s.Send(ctx, d, recipients) {
		results += one.Text().In(nil) + "\n"
		if one.Err != nil {
			failed++
		}
	}
	if failed > 0 {
		err = fmt.Errorf("the handover did not reach %d of %s", failed, textformat.CountWithNoun(len(recipients), "recipient", "recipients"))
	}
	return results, err
}

// ParseStart parses the start of a shift: a time of day, a time, or a duration before now. If text is
// empty, the shift started length before now. A start after now is an error.
func ParseStart(text string, now time.Time, length time.Duration) (time.Time, error) {
	if text == "" {
		return now.Add(-length), nil
	}
	if start, ok := contact.ParseTimeAgo(text, now); ok {
		return start, nil
	}
	start, err := contact.ParseInstant(text, now.Location())
	switch {
	case err != nil:
		return start, fmt.Errorf("%q: want a time of today (06:00), a time (2026-03-17T06:00) or how long ago (8h)", text)
	case start.After(now):
		return start, fmt.Errorf("%s is to come", text)
	}
	return start, nil
}
