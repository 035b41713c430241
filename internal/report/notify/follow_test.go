package notify

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
)

// answering is a transport of webhooks that answers without a network.
type answering func(*http.Request) *http.Response

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

func answer(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// running runs a notifier of one webhook until stop.
func running(t *testing.T, target Target, transport http.RoundTripper) (n *Notifier, stop func()) {
	t.Helper()
	n = New(Options{Targets: []Target{target}, Transport: transport})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); n.Run(ctx) }()
	return n, func() { cancel(); <-done }
}

func chat(header string) Target {
	return Target{
		Name: "chat", Webhook: secret.New("https://chat.example/hook"), WebhookHeader: secret.New("Authorization: Bearer " + header),
		IsDefault: true, MinSeverity: alert.Critical, Events: events(), MaxPerHour: 60, Timeout: time.Minute,
	}
}

// TestRetryAfter checks that a webhook can ask for a longer pause than the first one of the notifier.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, tries := time.Now(), []time.Duration(nil)
		n, stop := running(t, chat("x"), answering(func(*http.Request) *http.Response {
			if tries = append(tries, time.Since(began)); len(tries) == 1 {
				return answer(http.StatusTooManyRequests, "", "Retry-After", "60")
			}
			return answer(http.StatusNoContent, "")
		}))
		defer stop()
		n.Notify("", []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)})
		<-time.After(5 * time.Minute)
		synctest.Wait()
		if len(tries) != 2 || tries[1] != time.Minute {
			t.Errorf("tried after %v", tries)
		}
	})
}

// TestErrorInTheBody checks which bodies of answers with status 200 count as errors.
func TestErrorInTheBody(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		form, body string
		fails      bool
	}{
		{FormTeams, "1", false},
		{FormTeams, "", false},
		{FormTeams, "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=1", true},
		{FormJSON, "ok", false},
		{FormJSON, "no error at all", false},
		{FormJSON, `{"ok":true}`, false},
		{FormJSON, `{"ok":false,"description":"chat not found"}`, true},
		{FormJSON, `{"error":null,"errors":[]}`, false},
		{FormJSON, `{"error":{"code":429}}`, true},
		{FormTeams, `{"error":"quota"}`, true},
		{FormJSON, `{"errors":["quota"]}`, true},
	} {
		if got := checkAnswer(answer(http.StatusOK, ""), []byte(tt.body), tt.form) != nil; got != tt.fails { //nolint:bodyclose // it has none
			t.Errorf("%s %q: fails is %v", tt.form, tt.body, got)
		}
	}
}

// TestFollow changes the secret of a webhook that refuses the old one. The changed target gets the refused
// message once.
func TestFollow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		n, stop := running(t, chat("old"), answering(func(r *http.Request) *http.Response {
			asked = append(asked, r.Header.Get("Authorization"))
			if asked[len(asked)-1] != "Bearer new" {
				return answer(http.StatusUnauthorized, "")
			}
			return answer(http.StatusOK, "")
		}))
		defer stop()
		n.Notify("", []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)})
		<-time.After(time.Second)
		if got := n.Trouble().In(nil); !strings.Contains(got, "401") {
			t.Errorf("the trouble is %q", got)
		}
		n.SetTargets([]Target{chat("old")}, nil)
		n.SetTargets([]Target{chat("new")}, nil)
		n.Notify("", []alert.Change{change(alert.ChangeRaised, "b", alert.Critical)})
		<-time.After(time.Hour)
		synctest.Wait()
		if got, want := fmt.Sprint(asked), "[Bearer old Bearer new Bearer new]"; got != want {
			t.Errorf("asked with %s, want %s", got, want)
		}
		if got := n.Trouble().In(nil); got != "" {
			t.Errorf("the trouble is %q", got)
		}
		n.SetTargets(nil, nil)
		n.Notify("", []alert.Change{change(alert.ChangeRaised, "c", alert.Critical)})
		<-time.After(time.Hour)
		if synctest.Wait(); len(asked) != 3 {
			t.Errorf("sent %v, want no request without a target", asked)
		}
	})
}

// TestFollowWaits changes a target twice while a message to it is being sent. The message is sent once, and
// the rate limit still applies.
func TestFollowWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int32
		slow := func(context.Context, string, string, string) error {
			sent.Add(1)
			<-time.After(30 * time.Second)
			return nil
		}
		target := func(severity alert.Level) []Target {
			return []Target{{
				Name: "floor", SMS: []string{"1"}, IsDefault: true, MinSeverity: severity, Events: events(), MaxPerHour: 1, Timeout: time.Minute,
			}}
		}
		n := New(Options{Targets: target(alert.Critical), SMS: slow})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); n.Run(ctx) }()
		n.Notify("", []alert.Change{change(alert.ChangeRaised, "a", alert.Critical)})
		<-time.After(time.Second)
		n.SetTargets(target(alert.Warning), nil)
		n.SetTargets(target(alert.Critical), func(ctx context.Context, p, number, text string) error { return slow(ctx, p, number, text) })
		n.Notify("", []alert.Change{change(alert.ChangeRaised, "b", alert.Critical)})
		<-time.After(59 * time.Minute)
		if synctest.Wait(); sent.Load() != 1 {
			t.Errorf("%d messages sent within the hour, want 1", sent.Load())
		}
		<-time.After(3 * time.Minute)
		if synctest.Wait(); sent.Load() != 2 {
			t.Errorf("%d messages sent, want 2", sent.Load())
		}
		cancel()
		<-done
	})
}
