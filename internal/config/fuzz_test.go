package config

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"wallboard/internal/lib/safedecode"
)

// FuzzParse reads arbitrary files. It must not panic, an error must not contain a secret,
// and every key that the TOML library finds must have a line.
func FuzzParse(f *testing.F) {
	example, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	for _, c := range problemCases() {
		f.Add(c.text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, canary) {
			t.Skip("an error may name a key that looks like the secret")
		}
		from := configFile{path: "config.toml", dir: dir}
		for _, text := range []string{
			text,
			"rtd.password = \"" + canary + "\"\n" + text,
			text + "\n[rtd]\naccess_token = \"" + canary + "\"\n",
			"[rtd]\npassword = \"" + canary + text,
			"[rtd]\npassword = " + text + canary + "\n",
		} {
			c, err := parse(text, from, testOptions())
			if (c == nil) == (err == nil) {
				t.Fatalf("config %v and error %v", c, err)
			}
			checkErrors(t, err)
			checkLines(t, text)
		}
	})
}

// checkErrors looks for the secret, or most of it, and for control characters.
func checkErrors(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var list Errors
	if !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("error is %#v, want Errors", err)
	}
	for _, p := range list {
		if strings.Contains(p.String(), canary) {
			t.Errorf("the secret stands in an error: %s", p)
		}
		if hasUnprintable(p.String()) {
			t.Errorf("a problem holds control characters: %q", p.String())
		}
		if p.Problem == "" || p.Line < 0 {
			t.Errorf("incomplete problem: %#v", p)
		}
	}
}

// checkLines compares the line finder with the library's parser.
func checkLines(t *testing.T, text string) {
	t.Helper()
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		return
	}
	checkTree(t, safedecode.FindKeyLines(text), "", tree, strings.Count(text, "\n")+1)
}

func checkTree(t *testing.T, l safedecode.KeyLines, path string, value any, last int) {
	t.Helper()
	if n := l[path]; path != "" && len(path) < safedecode.MaxPathBytes && (n < 1 || n > last) {
		t.Errorf("%s has line %d", path, n)
	}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			checkTree(t, l, joinKey(path, key), v, last)
		}
	case []map[string]any:
		for i, v := range value {
			checkTree(t, l, elementKey(path, i), v, last)
		}
	case []any:
		for i, v := range value {
			checkTree(t, l, elementKey(path, i), v, last)
		}
	}
}
