package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/report/handover"
)

// fakeSender is a sender of handovers in memory.
type fakeSender struct {
	recipients []string
	sent       []handover.Document
}

func (s *fakeSender) Recipients() []string { return s.recipients }

func (s *fakeSender) Send(_ context.Context, d handover.Document, recipients []string) []handover.Delivery {
	s.sent = append(s.sent, d)
	var out []handover.Delivery
	for i, name := range recipients {
		one := handover.Delivery{Recipient: name}
		if i > 0 {
			one.Err = errors.New("the webhook cannot be reached")
		}
		out = append(out, one)
	}
	return out
}

// TestSendHandover checks that s in the handover asks once, sends the report to all recipients, and
// shows the result for each, live and in a replay.
func TestSendHandover(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sender := &fakeSender{}
		th := newTheatre(t, func(o *Options) { o.Actions.Sender = sender })
		th.press("h")
		th.pass(time.Second)
		th.shows("s send")
		th.press("s")
		th.shows("No recipient is configured: add a [[notify]] with mail or a webhook.")
		sender.recipients = []string{"Anna (mail)", "Team (Teams)"}
		th.press("s")
		th.shows("Send to Anna (mail), Team (Teams)?")
		th.press("n")
		if th.pass(time.Second); len(sender.sent) > 0 {
			t.Error("it was sent without a yes")
		}
		th.press("s", "y")
		th.pass(time.Second)
		th.shows("Anna (mail): sent", "Team (Teams): not sent: the webhook cannot be reached")
		th.hides("r read again")
		th.press("r")
		th.pass(time.Second)
		if len(sender.sent) != 1 || !strings.HasPrefix(sender.sent[0].Subject, "Shift handover, ") || !strings.Contains(sender.sent[0].Text, "## Figures for the day") {
			t.Fatalf("sent %d documents: %.300v", len(sender.sent), sender.sent)
		}
		th.press("esc", "esc")
		th.types("back 10m")
		th.pass(time.Second)
		th.press("h")
		th.pass(time.Second)
		th.press("s", "y")
		if th.pass(time.Second); len(sender.sent) != 2 || sender.sent[1].At.Equal(sender.sent[0].At) {
			t.Errorf("sent %d documents", len(sender.sent))
		}
	})
}

// TestHandoverCannotBeSent checks that a viewer without a sender is not offered to send.
func TestHandoverCannotBeSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press("h")
		th.pass(time.Second)
		th.hides("s send")
		th.press("s")
		th.hides("Send to")
	})
}
