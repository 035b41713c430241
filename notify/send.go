package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"wallboard/internal/program"
	"wallboard/internal/retryafter"
	"wallboard/model"
)

// sender returns how the target is told.
func (t *Target) sender(client *http.Client, sms SendSMS, now func() time.Time) func(context.Context, *message) error {
	switch {
	case t.Mail != nil:
		return func(ctx context.Context, m *message) error { return t.mail(ctx, m, now()) }
	case len(t.Command) > 0:
		return t.run
	case !t.Webhook.IsZero():
		return func(ctx context.Context, m *message) error { return t.post(ctx, client, m) }
	}
	return func(ctx context.Context, m *message) error { return t.text(ctx, sms, m) }
}

// run runs the command, the message as JSON on its standard input and in its
// environment.
func (t *Target) run(ctx context.Context, m *message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write the message: %w", err)
	}
	cmd, said := program.Command(ctx, t.Command, m.environ()...)
	cmd.Stdin = bytes.NewReader(body)
	if err = cmd.Run(); err == nil {
		return nil
	}
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return errors.New("the command took too long")
	case exited:
		return fmt.Errorf("the command ended with %d%s", exit.ExitCode(), lastWords(said))
	}
	return errors.New("the command cannot be started; look at its name and whether it may be run")
}

// lastWords is what a command has said last.
func lastWords(said *program.Said) string {
	if last := model.CleanText(said.Line(), model.MaxName); last != "" {
		return ": " + last
	}
	return ""
}

// webClient returns a client that goes nowhere but to the address it is given.
func webClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		transport = &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 64 << 10, DisableCompression: true,
		}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// post sends the message to a webhook. Its errors name neither address nor header:
// both may be secrets.
func (t *Target) post(ctx context.Context, client *http.Client, m *message) error {
	body, err := t.body(m)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.Webhook.Reveal(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: the address of the webhook cannot be used", ErrRefused)
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "wallboard")
	if name, value, ok := strings.Cut(t.Header.Reveal(), ":"); ok {
		req.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	resp, err := client.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok && u.Timeout() {
			return errors.New("the webhook does not answer in time")
		}
		return errors.New("the webhook cannot be reached")
	}
	defer resp.Body.Close()                                         //nolint:errcheck // only read from
	said, _ := io.ReadAll(io.LimitReader(resp.Body, mostSaid))      // what is missing says nothing
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, mostSaid)) // so that the connection is used again
	return answerOf(resp, said, t.Form)
}

// mostSaid bounds what is read of the answer of a webhook.
const mostSaid = 64 << 10

// laterError is a delivery that is to be tried again, but not before a time has passed.
type laterError struct {
	error

	wait time.Duration
}

// answerOf is what the answer of a webhook means. What the platform may accept with another
// secret is tried again, too: the secret is read again meanwhile.
func answerOf(resp *http.Response, said []byte, form string) error {
	switch code := resp.StatusCode; {
	case code < 300 && tellsError(said, form):
		return errors.New("the webhook answers that it failed")
	case code < 300:
		return nil
	case code < 400:
		return fmt.Errorf("%w: the webhook has moved (status %d); write its new address", ErrRefused, code)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("the webhook refuses the address or the header (status %d)", code)
	case code < 500 && code != http.StatusTooManyRequests && code != http.StatusRequestTimeout:
		return fmt.Errorf("%w: the webhook does not take it (status %d)", ErrRefused, code)
	default:
		return &laterError{fmt.Errorf("the webhook fails (status %d)", code), retryafter.In(resp.Header, time.Now())}
	}
}

// tellsError reports whether the body of an answer says that the delivery failed although
// its status does not: a JSON object with an error in it or, from Microsoft Teams, words
// ("Microsoft Teams endpoint returned HTTP error 429").
func tellsError(said []byte, form string) bool {
	var doc map[string]any
	if json.Unmarshal(said, &doc) != nil {
		words := strings.ToLower(string(said))
		return form == FormTeams && (strings.Contains(words, "error") || strings.Contains(words, "failed"))
	}
	for key, value := range doc {
		switch strings.ToLower(key) {
		case "ok", "success":
			if value == false {
				return true
			}
		case "error", "errors":
			if !isNothing(value) {
				return true
			}
		}
	}
	return false
}

// isNothing reports whether a JSON value says that there is nothing.
func isNothing(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// text sends an SMS to every number. When one of several was sent, the message
// counts as told: nobody is written to twice.
func (t *Target) text(ctx context.Context, sms SendSMS, m *message) error {
	if sms == nil {
		return fmt.Errorf("%w: SMS need [rest] in the configuration, and a board that is not read-only", ErrRefused)
	}
	var failed error
	sent := false
	words := fitSMS(m.Text, mostSegments)
	for _, number := range t.SMS {
		if err := sms(ctx, m.Platform, number, words); err != nil {
			failed = err
		} else {
			sent = true
		}
	}
	if failed != nil && sent {
		return fmt.Errorf("%w: %w", ErrRefused, failed)
	}
	return failed
}
