package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/secret"
	"wallboard/internal/report/handover"
)

// longReport returns a report of many lines, with names that look like markup.
func longReport() handover.Document {
	text := "# Shift handover\n\n- **How the day went:** 12 calls.\n- **What was worst:** \\*\\*Sales\\*\\* \\[here\\].\n- **What is open:** nothing.\n\n## Incidents\n"
	for n := range 500 {
		text += fmt.Sprintf("- **Service %03d**, critical from 10:00 to 10:40 (40 min). Peak 13 callers, longest wait 4:10.\n", n)
	}
	text += "\n## Figures\n|  | SL |\n|---|---:|\n| **All, calls** | 80.0 % |\n"
	return handover.Document{Subject: "Shift handover, Bolzano\r\nBcc: all@evil.example", Text: text, At: time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)}
}

// webServer collects the bodies of requests.
type webServer struct {
	*httptest.Server

	mu     sync.Mutex
	bodies []string
	header http.Header
	status int // status of the answers after the first ok answers
	ok     int
}

func newWebServer(t *testing.T) *webServer {
	t.Helper()
	s := &webServer{ok: 1000}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.bodies, s.header = append(s.bodies, string(b)), r.Header
		if len(s.bodies) > s.ok {
			w.WriteHeader(s.status)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// TestSendDocument sends a long report by mail, to Teams and to a webhook, over real sockets.
func TestSendDocument(t *testing.T) {
	t.Parallel()
	serverTLS, clientTLS := certificate(t)
	mailbox := &mailServer{tls: serverTLS, auth: "PLAIN"}
	address, done := mailbox.serve(t)
	hook, teams := newWebServer(t), newWebServer(t)
	var recorded []string
	var mu sync.Mutex
	d := longReport()
	s := &DocumentSender{
		Platform: "North",
		Targets: func() []Target {
			return []Target{
				{Name: "Anna", Mail: &Mail{To: []string{"anna@example.com"}, From: "board@example.com", Server: address, User: "u", Password: secret.New("p"), TLS: clientTLS}, Timeout: 10 * time.Second},
				{Name: "Team", Webhook: secret.New(teams.URL), WebhookFormat: FormTeams, Timeout: 10 * time.Second},
				{Name: "pager", SMS: []string{"+39047100000"}},
				{Name: "script", Command: []string{"true"}},
				{Name: "hook", Webhook: secret.New(hook.URL), WebhookHeader: secret.New("X-Key: k"), Timeout: 10 * time.Second},
			}
		},
		Begin: func(recipient string) (func(error), error) {
			return func(err error) {
				mu.Lock()
				defer mu.Unlock()
				recorded = append(recorded, fmt.Sprint(recipient, " ", err))
			}, nil
		},
	}
	if diff := cmp.Diff([]string{"Anna (mail)", "Team (Teams)", "hook (webhook)"}, s.Recipients()); diff != "" {
		t.Fatal(diff)
	}
	var results []string
	for _, one := range s.Send(t.Context(), d, s.Recipients()) {
		results = append(results, one.Text().In(nil))
	}
	done()
	if diff := cmp.Diff([]string{"Anna (mail): sent", "Team (Teams): sent", "hook (webhook): sent"}, results); diff != "" {
		t.Fatal(diff)
	}
	if slices.Sort(recorded); !slices.Equal(recorded, []string{"Anna (mail) <nil>", "Team (Teams) <nil>", "hook (webhook) <nil>"}) {
		t.Errorf("recorded %q", recorded)
	}
	checkMailedReport(t, mailbox, d.Text)
	var got documentMessage
	if err := json.Unmarshal([]byte(hook.bodies[0]), &got); err != nil || hook.header.Get("X-Key") != "k" {
		t.Fatalf("%v, header %v", err, hook.header)
	}
	want := documentMessage{
		Target: "hook", Event: "handover", Platform: "North", Title: "North: Shift handover, Bolzano␍␊Bcc: all@evil.example", Markdown: d.Text, At: d.At,
		Text: "How the day went: 12 calls.\nWhat was worst: **Sales** [here].\nWhat is open: nothing.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	checkTeamsReport(t, teams.bodies)
}

func checkMailedReport(t *testing.T, mailbox *mailServer, text string) {
	t.Helper()
	if len(mailbox.mails) != 1 {
		t.Fatalf("%d mails", len(mailbox.mails))
	}
	m, err := mail.ReadMessage(strings.NewReader(mailbox.mails[0]))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if got := strings.ReplaceAll(string(body), "\r\n", "\n"); err != nil || !strings.HasPrefix(got, text) || m.Header.Get("Bcc") != "" || m.Header.Get("To") != "anna@example.com" {
		t.Errorf("error %v, header %v, body %.200s", err, m.Header, body)
	}
}

// checkTeamsReport checks that a report arrives completely, in parts that Teams accepts.
func checkTeamsReport(t *testing.T, bodies []string) {
	t.Helper()
	all := ""
	for i, body := range bodies {
		const most = 28 << 10
		if len(body) > most {
			t.Errorf("part %d has %d bytes", i+1, len(body))
		}
		var got teamsMessage
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		blocks := got.Attachments[0].Content.Body
		if want := fmt.Sprintf("(%d of %d)", i+1, len(bodies)); !strings.HasSuffix(blocks[0].Inlines[0].Text, want) {
			t.Errorf("the title %q has no %q", blocks[0].Inlines[0].Text, want)
		}
		for _, b := range blocks[1:] {
			all += b.Inlines[0].Text + "\n"
		}
	}
	for n := range 500 {
		if want := fmt.Sprintf("- Service %03d, critical from", n); !strings.Contains(all, want) {
			t.Fatalf("no %q", want)
		}
	}
	for _, want := range []string{"- What was worst: **Sales** [here].\n", "\nIncidents\n", "\nAll, calls · 80.0 %\n"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %.500s", want, all)
		}
	}
}

// TestSendDocumentFails checks the results for recipients that cannot be reached.
func TestSendDocumentFails(t *testing.T) {
	t.Parallel()
	full := &mailServer{auth: "PLAIN", refuse: "RCPT 550 no such user"}
	address, done := full.serve(t)
	silent := &mailServer{auth: "PLAIN", hangUp: true}
	silentAddress, silentDone := silent.serve(t)
	broken, gone := newWebServer(t), newWebServer(t)
	broken.ok, broken.status = 1, http.StatusServiceUnavailable
	gone.Close()
	hung := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); <-r.Context().Done() }))
	t.Cleanup(hung.Close)
	post := func(server string) *Mail {
		return &Mail{To: []string{"a@example.com"}, From: "b@example.com", Server: server}
	}
	s := &DocumentSender{
		Targets: func() []Target {
			return []Target{
				{Name: "Anna", Mail: post(address), Timeout: time.Minute},
				{Name: "Ben", Mail: post(silentAddress), Timeout: time.Minute},
				{Name: "Team", Webhook: secret.New(broken.URL), WebhookFormat: FormTeams, Timeout: time.Minute},
				{Name: "hook", Webhook: secret.New(gone.URL + "/s3cret"), Timeout: time.Minute},
				{Name: "hung", Webhook: secret.New(hung.URL), Timeout: 100 * time.Millisecond},
				{Name: "unrecorded", Webhook: secret.New(broken.URL), Timeout: time.Minute},
			}
		},
		Begin: func(recipient string) (func(error), error) {
			if strings.HasPrefix(recipient, "unrecorded") {
				return nil, errors.New("it cannot be recorded")
			}
			return func(error) {}, nil
		},
	}
	if name, ok := s.Recipient("Ben"); name != "Ben (mail)" || !ok {
		t.Errorf("Ben is %q, %v", name, ok)
	}
	if name, ok := s.Recipient("nobody"); ok {
		t.Errorf("nobody is %q", name)
	}
	var got []string
	for _, one := range s.Send(t.Context(), longReport(), append(s.Recipients(), "removed (mail)")) {
		got = append(got, one.Text().In(nil))
	}
	done()
	silentDone()
	want := []string{
		"Anna (mail): not sent: refused: the mail server does not take a recipient (code 550)",
		"Ben (mail): may have been sent: it is unknown whether it arrived: the mail server did not answer",
		"Team (Teams): not sent: only 1 of 4 parts were sent: the webhook fails (status 503)",
		"hook (webhook): not sent: the webhook cannot be reached",
		"hung (webhook): may have been sent: the webhook does not answer in time",
		"unrecorded (webhook): not sent: it cannot be recorded",
		"removed (mail): not sent: it is no longer in the configuration",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
