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
	"net/http/httptrace"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"wallboard/internal/config/usercommand"
	"wallboard/internal/lib/netconn"
	"wallboard/model"
)

// newSender returns a function that delivers a message to the target.
func (t *Target) newSender(client *http.Client, sms SendSMS, now func() time.Time) func(context.Context, *message) error {
	switch {
	case t.Mail != nil:
		return func(ctx context.Context, m *message) error { return t.sendMail(ctx, m, now()) }
	case len(t.Command) > 0:
		return t.runCommand
	case !t.Webhook.IsZero():
		return func(ctx context.Context, m *message) error { return t.postWebhook(ctx, client, m) }
	}
	return func(ctx context.Context, m *message) error { return t.sendSMS(ctx, sms, m) }
}

// runCommand runs the command of the target. It passes the message as JSON on standard input,
// and in environment variables.
func (t *Target) runCommand(ctx context.Context, m *message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode the message: %w", err)
	}
	cmd, said := usercommand.NewProcess(ctx, t.Command, m.environ()...)
	cmd.Stdin = bytes.NewReader(body)
	if err = cmd.Run(); err == nil {
		return nil
	}
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return errors.New("the command took too long")
	case exited:
		return fmt.Errorf("the command ended with %d%s", exit.ExitCode(), lastLineSuffix(said))
	}
	return errors.New("the command cannot be started; check its name and permissions")
}

// lastLineSuffix returns the last line of a command's output in the form ": line", or "" if
// there is no output.
func lastLineSuffix(said *usercommand.TailBuffer) string {
	if last := model.CleanText(said.LastLine(), model.MaxName); last != "" {
		return ": " + last
	}
	return ""
}

// newWebClient returns an HTTP client that does not follow redirects. A nil transport means a
// default one.
func newWebClient(transport http.RoundTripper) *http.Client {
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

// postWebhook posts a message to the webhook of the target.
func (t *Target) postWebhook(ctx context.Context, client *http.Client, m *message) error {
	body, err := t.webhookBody(m)
	if err != nil {
		return err
	}
	return t.postBody(ctx, client, body)
}

// postBody posts a JSON body to the webhook of the target. Its errors contain neither the address
// nor the header of the request, because both may be secret.
func (t *Target) postBody(ctx context.Context, client *http.Client, body []byte) error {
	address := t.Webhook.Reveal()
	if t.WebhookFormat == FormNtfy {
		address, _ = splitTopic(address)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: the address of the webhook cannot be used", ErrRefused)
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "wallboard")
	if name, value, ok := strings.Cut(t.WebhookHeader.Reveal(), ":"); ok {
		req.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	var written atomic.Bool // the webhook may have the whole request
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(w httptrace.WroteRequestInfo) { written.Store(written.Load() || w.Err == nil) },
	}))
	resp, err := client.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok && u.Timeout() && written.Load() {
			return errUnanswered
		}
		return errors.New("the webhook cannot be reached")
	}
	defer resp.Body.Close()                                          //nolint:errcheck // the body is only read
	said, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))      // a part of the response is enough
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer)) // read the rest, so that the connection can be reused
	return checkAnswer(resp, said, t.WebhookFormat)
}

// webhookBody returns the body of the webhook request for a message.
func (t *Target) webhookBody(m *message) ([]byte, error) {
	var doc any = m
	switch t.WebhookFormat {
	case FormTeams:
		doc = newTeamsMessage(m)
	case FormNtfy:
		n := newNtfyMessage(m)
		_, n.Topic = splitTopic(t.Webhook.Reveal())
		doc = n
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("encode the message: %w", err)
	}
	return body, nil
}

// maxAnswer limits the part of a webhook's response that is read, in bytes.
const maxAnswer = 64 << 10

// retryLaterError is the error of a delivery that must not be repeated before a certain time.
type retryLaterError struct {
	error

	wait time.Duration
}

// checkAnswer returns an error if the response of a webhook reports a failure. said is the body of
// the response, and form is the format of the request. An error with the status 401 or 403 is not
// final, because the user may correct the secret.
func checkAnswer(resp *http.Response, said []byte, form string) error {
	switch code := resp.StatusCode; {
	case code < 300 && isErrorBody(said, form):
		return errors.New("the webhook reports a failure")
	case code < 300:
		return nil
	case code < 400:
		return fmt.Errorf("%w: the webhook has moved (status %d); configure its new address", ErrRefused, code)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("the webhook refuses the address or the header (status %d)", code)
	case code < 500 && code != http.StatusTooManyRequests && code != http.StatusRequestTimeout:
		return fmt.Errorf("%w: the webhook rejects the message (status %d)", ErrRefused, code)
	default:
		return &retryLaterError{fmt.Errorf("the webhook fails (status %d)", code), netconn.RetryAfter(resp.Header, time.Now())}
	}
}

// isErrorBody reports whether the body of a response with a successful status describes an
// error. Such a body is a JSON object with an error or with a false ok or success, or a message of
// Microsoft Teams ("Microsoft Teams endpoint returned HTTP error 429").
func isErrorBody(said []byte, form string) bool {
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
			if !isEmptyValue(value) {
				return true
			}
		}
	}
	return false
}

// isEmptyValue reports whether a JSON value is null, false, 0, or an empty string, list or object.
func isEmptyValue(value any) bool {
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

// sendSMS sends a message as SMS to all numbers of the target. If only some of the SMS were
// sent, the error wraps ErrRefused to prevent a repetition, because no recipient must get the
// message twice.
func (t *Target) sendSMS(ctx context.Context, sms SendSMS, m *message) error {
	if sms == nil {
		return fmt.Errorf("%w: SMS need [rest] in the configuration, and a board that is not read-only", ErrRefused)
	}
	var failed error
	sent := false
	text := fitSMS(m.Text, maxSMSParts, m.words)
	for _, number := range t.SMS {
		if err := sms(ctx, m.Platform, number, text); err != nil {
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
