package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/model"
)

// DocumentSender sends reports to targets that use mail, Teams or webhooks. It implements
// [handover.Sender]. It makes a single attempt for each target. Rates and quiet hours do not
// apply, because a user has requested the delivery.
type DocumentSender struct {
	Targets  func() []Target // returns the current targets
	Platform string          // name of the platform; "": there is only one
	// Begin records that a report is about to be sent to a recipient. It returns a function
	// that records the result. If Begin returns an error, nothing is sent to the recipient. If
	// Begin is nil, nothing is recorded.
	Begin func(recipient string) (finish func(error), err error)
	// Transport is the transport for webhooks. A nil Transport means a default one.
	Transport http.RoundTripper
}

var _ handover.Sender = (*DocumentSender)(nil)

// documentMethod returns the way in which the target gets a report: "mail", "Teams" or "webhook",
// or "" if it cannot get one.
func (t *Target) documentMethod() string {
	switch {
	case t.Mail != nil:
		return "mail"
	case t.Webhook.IsZero() || t.WebhookFormat == FormNtfy: // messages to ntfy are short
		return ""
	case t.WebhookFormat == FormTeams:
		return "Teams"
	}
	return "webhook"
}

// recipients returns the targets that can get a report, by their names as recipients. names
// holds these names in the order of the targets.
func (s *DocumentSender) recipients() (names []string, targets map[string]*Target) {
	targets = make(map[string]*Target)
	all := s.Targets()
	for i := range all {
		if way := all[i].documentMethod(); way != "" {
			name := all[i].Name + " (" + way + ")"
			names, targets[name] = append(names, name), &all[i]
		}
	}
	return names, targets
}

// Recipients implements [handover.Sender].
func (s *DocumentSender) Recipients() []string {
	names, _ := s.recipients()
	return names
}

// Recipient returns the name of a target as a recipient. ok is false if there is no such
// target, or if it cannot get a report.
func (s *DocumentSender) Recipient(target string) (recipient string, ok bool) {
	names, targets := s.recipients()
	i := slices.IndexFunc(names, func(n string) bool { return targets[n].Name == target })
	if i < 0 {
		return "", false
	}
	return names[i], true
}

// Send implements [handover.Sender].
func (s *DocumentSender) Send(ctx context.Context, d handover.Document, recipients []string) []handover.Delivery {
	_, targets := s.recipients()
	client := newWebClient(s.Transport)
	defer client.CloseIdleConnections()
	out := make([]handover.Delivery, len(recipients))
	var all sync.WaitGroup
	for i, name := range recipients {
		all.Go(func() {
			err := s.sendTo(ctx, client, targets[name], name, &d)
			out[i] = handover.Delivery{Recipient: name, Err: err, MayHaveArrived: errors.Is(err, ErrDeliveryUnknown) || errors.Is(err, errUnanswered)}
		})
	}
	all.Wait()
	return out
}

// sendTo sends a document to a target. t is nil if the target was removed.
func (s *DocumentSender) sendTo(ctx context.Context, client *http.Client, t *Target, name string, d *handover.Document) error {
	if t == nil {
		return errors.New("it is no longer in the configuration")
	}
	finish := func(error) {}
	if s.Begin != nil {
		f, err := s.Begin(name)
		if err != nil {
			return err
		}
		finish = f
	}
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	err := t.sendDocument(ctx, client, d, s.Platform)
	finish(err)
	return err
}

// documentMessage is the body of a webhook request with a report.
type documentMessage struct {
	Target   string    `json:"target"`
	Event    string    `json:"event"` // always "handover"
	Platform string    `json:"platform,omitempty"`
	Title    string    `json:"title"`
	Text     string    `json:"text"`     // summary of the report
	Markdown string    `json:"markdown"` // whole report in Markdown
	At       time.Time `json:"at"`
}

func (t *Target) sendDocument(ctx context.Context, client *http.Client, d *handover.Document, platform string) error {
	subject := model.CleanText(d.Subject, model.MaxBody)
	if platform != "" {
		subject = words.RuleMessage(words.Name(platform), words.Name(subject)).In(d.Words)
	}
	if t.Mail != nil {
		return t.Mail.deliver(ctx, t.Mail.renderPlainMail(subject, d.Text, subject, "handover", d.At))
	}
	if t.WebhookFormat == FormTeams {
		parts := splitLines(teamsLines(d.Text), maxTeamsPart)
		for i, part := range parts {
			title := subject
			if len(parts) > 1 {
				title = words.NotifyPart(subject, i+1, len(parts)).In(d.Words)
			}
			if err := t.postJSON(ctx, client, newTeamsDocument(title, part)); err != nil {
				if i > 0 {
					err = fmt.Errorf("only %d of %d parts were sent: %w", i, len(parts), err)
				}
				return err
			}
		}
		return nil
	}
	return t.postJSON(ctx, client, documentMessage{
		Target: t.Name, Event: "handover", Platform: platform, Title: subject, Text: strings.Join(d.Summary(), "\n"), Markdown: d.Text, At: d.At.UTC(),
	})
}

// postJSON posts a value as JSON to the webhook of the target.
func (t *Target) postJSON(ctx context.Context, client *http.Client, doc any) error {
	body, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("encode the message: %w", err)
	}
	return t.postBody(ctx, client, body)
}

// maxTeamsPart limits the size of a part of a report in a Teams message, in bytes of JSON. The
// whole request may have at most 28 KB.
const maxTeamsPart = 22 << 10

// teamsLine is a line of a report in a Teams message, with its style.
type teamsLine struct {
	text    string
	heading bool
}

// teamsLines returns the lines of a report for a Teams message, without Markdown syntax. The cells
// of a table are separated by " · ".
func teamsLines(markdown string) []teamsLine {
	var out []teamsLine
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\n ")
		text, heading := strings.CutPrefix(line, "## ")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "|"):
			if cells := handover.TableCells(line); cells != nil {
				out = append(out, teamsLine{text: strings.Trim(strings.Join(cells, " · "), " ·")})
			}
		default:
			text = handover.StripMarkdown(text)
			for len(text) > maxTeamsText {
				cut := strings.LastIndexByte(text[:maxTeamsText], ' ')
				if cut <= 0 {
					break
				}
				out, text = append(out, teamsLine{text: text[:cut]}), text[cut+1:]
			}
			out = append(out, teamsLine{text, heading})
		}
	}
	return out
}

// splitLines splits lines into parts. The parameter most limits the size of a part in a Teams
// message, in bytes, but a part has at least one line.
func splitLines(lines []teamsLine, most int) [][]teamsLine {
	var out [][]teamsLine
	size := most
	for _, l := range lines {
		b, _ := json.Marshal(teamsText(l)) //nolint:errchkjson // a struct of texts
		n := len(b) + len(",")
		if size+n > most {
			out, size = append(out, nil), 0
		}
		out[len(out)-1], size = append(out[len(out)-1], l), size+n
	}
	return out
}
