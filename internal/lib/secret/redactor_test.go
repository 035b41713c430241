package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRedactorKnowsTheFormsOfASecret(t *testing.T) {
	t.Parallel()
	var r Redactor
	password := `Pa"ss<w>&örd/+ %\1`
	r.Add(New(password), New("Pa\"ss"), New("abc"), New(""))
	marshalled, err := json.Marshal(map[string]string{"password": password})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"raw": password, "JSON": string(marshalled), "JSON in a log": fmt.Sprintf("%q", marshalled),
		"query": url.Values{"p": {password}}.Encode(), "path": url.PathEscape(password), "page": html.EscapeString(password),
		"quoted": fmt.Sprintf("%q", password), "base64": base64.StdEncoding.EncodeToString([]byte(password)),
		"basic": "Basic " + base64.StdEncoding.EncodeToString([]byte("anna:"+password)),
		"token": base64.RawURLEncoding.EncodeToString([]byte("ab" + password + "cd")),
	} {
		got := r.Redact("<" + text + ">")
		if !strings.Contains(got, Redacted) || strings.Contains(got, "w>&") || strings.Contains(got, "rd/") {
			t.Errorf("%s: %q becomes %q", name, text, got)
		}
	}
	if got := r.Redact("abc: an ordinary text"); got != "abc: an ordinary text" {
		t.Errorf("%q", got)
	}
}

// A secret that looks like a short word or number leaves longer words and numbers readable, and is
// replaced wherever it stands alone.
func TestShortSecretsLeaveWordsReadable(t *testing.T) {
	t.Parallel()
	const r = Redacted
	for _, tt := range []struct{ secret, text, want string }{
		{"all", "calls are not allowed at all", "calls are not allowed at " + r},
		{"a", "a caller has a call", r + " caller has " + r + " call"},
		{"pass", "password pass rejected, bypass", "password " + r + " rejected, bypass"},
		{"pass", `{"user":"anna","password":"pass"}`, `{"user":"anna","password":"` + r + `"}`},
		{"pass", "user=anna&password=pass&x=1 anna:pass@host pass1 my_pass", "user=anna&password=" + r + "&x=1 anna:" + r + "@host " + r + "1 my_" + r},
		{"pass", `%3Dpass%0Apass 
pass <pass> 
pass`, `%3D` + r + `%0A` + r + ` 
` + r + ` <` + r + `> 
` + r},
		{"Pass", "userPass bypassed Passed", "user" + r + " bypassed Passed"},
		{"pass", "passX", r + "X"},
		{"пас", "пас пастух", r + " пастух"},
		{"密码", "错误密码错误", "错误" + r + "错误"},
		{"12", "error 12 after 120 ms at 1012: x12y", "error " + r + " after 120 ms at 1012: x" + r + "y"},
		{"x1", "prefix10", "prefi" + r + "0"}, // x1 is replaced, because it is not part of an ordinary word
		{"pass", "Basic " + base64.StdEncoding.EncodeToString([]byte("anna:pass")), "Basic YW5uYTp" + r},
		{"passphrase", "mypassphrases", "my" + r + "s"}, // a long secret is also replaced inside words
		{"red", "red [redacted]", r + " [redacted]"},
	} {
		if got := Redact(tt.text, tt.secret); got != tt.want {
			t.Errorf("%q in %q: %q, want %q", tt.secret, tt.text, got, tt.want)
		}
	}
	if got := Redact("pass passpass word", "pass", "passpass", "wor"); got != r+" "+r+" word" {
		t.Errorf("%q", got)
	}
}

// TestPassingSecretsAreBounded adds the sessions of a year.
func TestPassingSecretsAreBounded(t *testing.T) {
	t.Parallel()
	var r Redactor
	r.Add(New("lasting-secret"))
	for i := range 5000 {
		r.AddSession(New(fmt.Sprintf("session-%06d", i)))
	}
	if n := len(r.sessionSecrets); n > maxSessionSecrets {
		t.Errorf("%d are kept", n)
	}
	const want = Redacted + " " + Redacted + " " + Redacted
	if got := r.Redact("lasting-secret session-004999 session-004990"); got != want {
		t.Errorf("%q", got)
	}
}

// No secret appears in a log, whatever its characters.
func TestLogsShowNoSecret(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(4, 40, 60).Filter(func(s string) bool {
			return utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
		}).Draw(t, "secret")
		var r Redactor
		r.Add(New(s))
		for name, handler := range map[string]func(w *bytes.Buffer) slog.Handler{
			"text": func(w *bytes.Buffer) slog.Handler { return slog.NewTextHandler(r.Writer(w), nil) },
			"json": func(w *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(r.Writer(w), nil) },
		} {
			var out bytes.Buffer
			log := slog.New(handler(&out))
			body, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			//nolint:sloglint // a message that quotes is what this is about
			log.Info("~"+s+"~", "~"+s+"~", "v", "error", errors.New("~"+s+"~"),
				slog.Group("g", "url", "~"+url.QueryEscape(s)+"~", "body", "~"+string(body)+"~"),
				"basic", "~"+base64.StdEncoding.EncodeToString([]byte("anna:"+s))+"~")
			if n := strings.Count(out.String(), Redacted); n != 6 || strings.Contains(out.String(), "~"+s+"~") {
				t.Errorf("%s: %d of 6 were taken out of %s", name, n, out.String())
			}
		}
	})
}
