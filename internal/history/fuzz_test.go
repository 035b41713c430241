package history

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/terminal"
)

// FuzzAnswer decodes arbitrary answers: the result is data or an error of this package
// whose text is one bounded, printable line without the key.
func FuzzAnswer(f *testing.F) {
	const key = "can+ary/1"
	c, err := New(Options{URL: "https://host/datamodel", APIKey: secret.New(key)})
	if err != nil {
		f.Fatal(err)
	}
	for _, body := range []string{
		"", "{}", `{"data":{"a0":1}}`, `{"data":null}`, `{"errors":["no"]}`, `{"errors":[{"message":"rate limit"}]}`, `{"errors":[{"detail":1},{}]}`,
		`{"errors":[{"message":"the key ` + key + ` is unknown"}]}`, `{"errors":[{"message":"can%2Bary%2F1"}]}`, "<html>", `{"errors":{}}`,
		`{"errors":[{"message":"\u001b]0;owned\u0007\n\u009b2J\u202e"}]}`, "{\"errors\":[\"\xff\"]}", `{"errors":["year is required"]}`,
	} {
		f.Add(http.StatusOK, body)
		f.Add(http.StatusUnauthorized, body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		data, err := c.transport.parseAnswer(status, []byte(body))
		if err == nil {
			if data == nil || status != http.StatusOK {
				t.Errorf("%d %q is an answer without data", status, body)
			}
			return
		}
		var e *Error
		if !errors.As(err, &e) || e.Err == nil {
			t.Fatalf("%d %q: %v is none of this package", status, body, err)
		}
		said := err.Error()
		if problem := terminal.CheckFrame(said); problem != nil || strings.Contains(said, "\n") || utf8.RuneCountInString(e.Message) > maxMessage {
			t.Errorf("%q becomes %q: %v", body, said, problem)
		}
		if secret.Redact(said, key) != said {
			t.Errorf("%q shows the key: %q", body, said)
		}
	})
}
