package restclient

import (
	"strings"
	"testing"
	"unicode/utf8"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/terminal"
)

// FuzzErrorBody checks any body of an error: the message is one printable line of limited
// length, without the secret.
func FuzzErrorBody(f *testing.F) {
	const canary = `can"ary&1`
	for _, body := range []string{
		"", "no", `"text"`, `{"message":"gone","exception":"CallNotFoundException"}`, `{"error":{"message":1}}`, `[`,
		"<html><title>502</title><p>a&#27;[2Jb</p>", `{"message":"` + `can\"ary\u00261` + `"}`, "can&quot;ary&amp;1",
		"\x1b]0;owned\a", "\u009b2J\u202e", "\xff\xfe", "can<b>\"ary&1", strings.Repeat("long ", 200),
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		said := excerpt(body, canary)
		if err := terminal.CheckFrame(said); err != nil || strings.Contains(said, "\n") || utf8.RuneCountInString(said) > maxExcerpt {
			t.Errorf("%q becomes %q: %v", body, said, err)
		}
		if strings.Contains(said, canary) {
			t.Errorf("%q shows the secret: %q", body, said)
		}
		if name := exceptionIn([]byte(body)); name != "" && !strings.HasSuffix(name, "Exception") {
			t.Errorf("%q is no exception", name)
		}
		if text := secret.Redact(said, canary); text != said {
			t.Errorf("%q shows the secret in some form: %q", body, said)
		}
	})
}
