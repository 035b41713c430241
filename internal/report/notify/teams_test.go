package notify

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
)

// hostile is a name that an attacker may give to a service.
const hostile = "**Sales** [here](http://evil.example) <b>x</b> \"\\\r\nBcc: all@evil.example\r\n\r\nx {{DATE(1)}} \u202e"

func hostileAlert(kind alert.ChangeKind) alert.Change {
	c := change(kind, "a", alert.Critical)
	c.Alert.Text = hostile
	c.Alert.Since = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	return c
}

// TestTeams checks the request to the trigger of a workflow, which must show names literally.
func TestTeams(t *testing.T) {
	t.Parallel()
	var request, kind, body string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		request, kind, body = r.Method+" "+r.URL.RequestURI(), r.Header.Get("Content-Type"), string(b)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer srv.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	target := Target{Name: "teams", WebhookFormat: FormTeams, Webhook: secret.New(srv.URL + "/workflows/1?sig=s3cret")}
	m := newMessage("teams", pendingMessage{event: EventBegin, alert: hostileAlert(alert.ChangeRaised).Alert}, 2, 1, nil)
	if err := target.postWebhook(t.Context(), newWebClient(transport), m); err != nil {
		t.Fatal(err)
	}
	if request != "POST /workflows/1?sig=s3cret" || kind != "application/json; charset=utf-8" {
		t.Errorf("the request is %q of %q", request, kind)
	}
	run := func(text string, more ...string) map[string]any {
		r := map[string]any{"type": "TextRun", "text": text}
		for i := 0; i < len(more); i += 2 {
			r[more[i]] = more[i+1]
		}
		return map[string]any{"type": "RichTextBlock", "inlines": []any{r}}
	}
	shown := cleanText(hostile) + " (and 2 more, 1 of them resolved)"
	last := run("longest wait · service S · CALL · since 2026-03-02 12:00:00 UTC", "size", "small")
	last["inlines"].([]any)[0].(map[string]any)["isSubtle"] = true //nolint:forcetypeassert // it was made so
	want := map[string]any{"type": "message", "attachments": []any{map[string]any{
		"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil,
		"content": map[string]any{
			"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.2",
			"fallbackText": "critical: " + shown,
			"body":         []any{run("Critical", "size", "medium", "weight", "bolder", "color", "attention"), run(shown), last},
		},
	}}}
	var got map[string]any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(body, "TextBlock\"") && strings.Contains(body, `"TextBlock"`) || strings.Contains(body, "FactSet") {
		t.Error("a part of the card reads Markdown")
	}
}

// TestTeamsIsBounded checks that a message stays below the limit of Teams, however long its texts are.
func TestTeamsIsBounded(t *testing.T) {
	t.Parallel()
	c := change(alert.ChangeRaised, "a", alert.Critical)
	c.Alert.Text = strings.Repeat("\u2028ä\"", 50_000)
	c.Alert.Rule = c.Alert.Text
	body, err := (&Target{WebhookFormat: FormTeams}).webhookBody(newMessage("teams", pendingMessage{event: EventBegin, alert: c.Alert}, 0, 0, nil))
	const most = 28 << 10
	if err != nil || len(body) > most {
		t.Errorf("%d bytes, error %v", len(body), err)
	}
}
