package restclient

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

// TestErrorsAndLogsHoldNothingSecret checks that errors and logs contain no secrets if a failing platform
// returns everything that was sent.
func TestErrorsAndLogsHoldNothingSecret(t *testing.T) {
	t.Parallel()
	const (
		password = "canary+pass word/1"
		number   = "00390111222333"
		data     = "canary call data"
	)
	// The client may be gone before it has read everything.
	echo := func(c *conn, status string) {
		r, err := http.ReadRequest(c.in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(io.LimitReader(r.Body, r.ContentLength))
		said := fmt.Sprintf("%s\n%v\n%s %s", r.RequestURI, r.Header, password, body)
		_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s", status, len(said), said)
	}
	platforms := map[string]func(*conn){
		"hangs up":        func(*conn) {},
		"echoes as error": func(c *conn) { echo(c, "412 "+number) },
		"echoes as 401":   func(c *conn) { echo(c, "401 "+password) },
		"echoes as 502":   func(c *conn) { echo(c, "502 Bad") },
		"echoes as 200":   func(c *conn) { echo(c, "200 OK") },
		"echoes as 302":   func(c *conn) { echo(c, "302 Found\r\nLocation: http://host/?"+number) },
		"no HTTP": func(c *conn) {
			if r, err := http.ReadRequest(c.in); err == nil {
				_, _ = fmt.Fprintf(c, "%s %s\r\n\r\n", password, r.RequestURI)
			}
		},
		"bad header": func(c *conn) {
			if r, err := http.ReadRequest(c.in); err == nil {
				_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s %s\r\n\r\n", password, r.RequestURI)
			}
		},
	}
	for name, handle := range platforms {
		for _, o := range []Options{
			{Auth: AuthBasic, Username: "anna", Password: secret.New(password)},
			{Auth: AuthSession, Username: "anna", Password: secret.New(password), Version: "1"},
			{Auth: AuthSession, AccessToken: secret.New(password), Version: "1"},
		} {
			var log bytes.Buffer
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			o.URL, o.DialContext = "http://host/platform", newPipes(handle).DialContext
			c := newClient(t, o)
			dial := request{op: resource.OpDial, query: map[string][]string{"number": {number}, "callData": {data}}, decodeInto: new(int)}
			for range 2 {
				err := c.Session.send(t.Context(), dial)
				if err == nil {
					t.Fatalf("%s: no error", name)
				}
				said := fmt.Sprintf("%v %+v %q\n", err, err, err) + log.String()
				var excerpt strings.Builder
				for e := err; e != nil; e = errors.Unwrap(e) {
					said += e.Error()
					var re *Error
					if errors.As(e, &re) {
						excerpt.WriteString(re.Excerpt)
					}
				}
				for _, canary := range append(forms(password), number, data, "canary") {
					if strings.Contains(said, canary) {
						t.Errorf("%s, %s: %q was said:\n%s", name, o.Auth, canary, said)
					}
				}
				for _, canary := range forms(password) {
					if strings.Contains(excerpt.String(), canary) {
						t.Errorf("%s, %s: %q is in the excerpt %q", name, o.Auth, canary, excerpt.String())
					}
				}
			}
		}
	}
}

// forms returns the encodings of a secret.
func forms(s string) []string {
	p := (&auth{mode: AuthBasic, username: "anna", password: secret.New(s)}).headerCredentials()
	return []string{s, "canary%2Bpass", strings.TrimPrefix(p.value, "Basic ")}
}
