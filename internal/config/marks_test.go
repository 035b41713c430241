package config

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMarks checks the problems of [marks] and [[calendar]], and that the token and the paths are
// resolved.
func TestMarks(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef"
	load := func(text string) (*Config, error) {
		return Parse(rtd+text, filepath.Join(t.TempDir(), "c.toml"), Options{Getenv: func(name string) string {
			return map[string]string{"T": token, "SHORT": "secret"}[name]
		}})
	}
	for text, want := range map[string]string{
		"[marks]\nlisten = \"0.0.0.0:9126\"\ntoken_env = \"T\"\n":       `marks.listen: "0.0.0.0:9126" is not a loopback address with a port; write it like "127.0.0.1:9126"`,
		"[marks]\nlisten = \":9126\"\ntoken_env = \"T\"\n":              "marks.listen: ",
		"[marks]\nlisten = \"127.0.0.1\"\ntoken_env = \"T\"\n":          "marks.listen: ",
		"[marks]\nlisten = \"127.0.0.1:99999\"\ntoken_env = \"T\"\n":    "marks.listen: ",
		"[marks]\nlisten = \"127.0.0.1:9126\"\n":                        "marks.token: is missing: [marks] needs it; set one of marks.token_file",
		"[marks]\nlisten = \"127.0.0.1:9126\"\ntoken_env = \"SHORT\"\n": "marks.token: is too short; use 16 characters or more",
		"[[calendar]]\n": "calendar[0].file: is missing",
	} {
		_, err := load(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	c, err := load("[marks]\nlisten = \"[::1]:9126\"\ntoken_env = \"T\"\n[[calendar]]\nfile = \"campaigns.ics\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if file := c.Calendars[0].File; c.Marks.Token.Reveal() != token || !filepath.IsAbs(file) || filepath.Base(file) != "campaigns.ics" {
		t.Errorf("token %q, file %q", c.Marks.Token.Reveal(), file)
	}
}
