package notify

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
)

// TestNtfy checks the message for a topic of an ntfy server: the same sentence as to other targets, with
// a link.
func TestNtfy(t *testing.T) {
	t.Parallel()
	var path string
	var got ntfyMessage
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		path = r.URL.Path
		_ = json.Unmarshal(body, &got)
	}))
	defer srv.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for address, want := range map[string][2]string{"/floor": {"/", "floor"}, "/push/floor": {"/push", "floor"}} {
		target := Target{Name: "phones", WebhookFormat: FormNtfy, Webhook: secret.New(srv.URL + address)}
		m := newMessage("phones", pendingMessage{event: EventBegin, alert: hostileAlert(alert.ChangeRaised).Alert}, 0, 0, nil)
		m.Link = "https://board.example.com/at/12:00"
		if err := target.postWebhook(t.Context(), newWebClient(transport), m); err != nil {
			t.Fatal(err)
		}
		if path != want[0] || got.Topic != want[1] || got.Message != m.Text || got.Title != "Critical" || got.Priority != 4 || got.Click != m.Link || strings.ContainsAny(got.Message, "\r\n") {
			t.Errorf("%s: %q gets %+v", address, path, got)
		}
	}
}

// TestLinks checks that messages contain the address of the page about the beginning of the alert.
func TestLinks(t *testing.T) {
	t.Parallel()
	n := New(Options{Targets: []Target{{Name: "a", Command: []string{"true"}, MaxPerHour: 6, Timeout: time.Minute}}, Link: func(since time.Time) string { return "https://board.example.com/at/" + since.Format("15:04") }})
	w := n.workers[0]
	w.heldMessages = []pendingMessage{{event: EventBegin, alert: hostileAlert(alert.ChangeRaised).Alert}}
	var sent *message
	w.send = func(_ context.Context, m *message) error { sent = m; return nil }
	w.deliverHeldMessage(t.Context())
	if sent == nil || sent.Link != "https://board.example.com/at/12:00" {
		t.Errorf("the message is %+v", sent)
	}
}
