package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"wallboard/cli/command"
	"wallboard/themes"
)

// themeFiles writes themes of a user into a directory.
func themeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestThemesLists(t *testing.T) {
	t.Parallel()
	dir := themeFiles(t, map[string]string{
		"dark.toml":   "description = \"Ours\"\nextends = \"dark\"\n",
		"broken.toml": "extends = \"drak\"\n",
	})
	code, out, errs := run(t, "themes", "--dir", dir)
	if want := "dark           user      dark        Ours\n"; code != command.ExitUsage || !strings.Contains(out, want) {
		t.Errorf("exit code %d, want %q in\n%s", code, want, out)
	}
	if want := filepath.Join(dir, "broken.toml") + ":1: extends: there is no theme \"drak\""; !strings.Contains(errs, want) {
		t.Errorf("want %q in\n%s", want, errs)
	}

	_, out, _ = run(t, "themes", "--dir", dir, "--json")
	var got struct{ Result []listedTheme }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := listedTheme{Name: "dark", Source: "user", Background: "dark", Description: "Ours", File: filepath.Join(dir, "dark.toml")}
	if len(got.Result) != len(themes.Names()) || got.Result[1] != want {
		t.Errorf("as JSON: %+v", got.Result)
	}
}

func TestThemesShow(t *testing.T) {
	t.Parallel()
	code, out, errs := run(t, "themes", "show", "--all", "--dir", t.TempDir())
	if code != command.ExitOK || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	for _, name := range themes.Names() {
		if !strings.Contains(out, " "+name+"  ") {
			t.Errorf("%s is not shown", name)
		}
	}
	for args, want := range map[string]string{"": "name a theme, or give --all", "drak": "there is no theme \"drak\"", "dark --all": "--all"} {
		code, _, errs := run(t, append([]string{"themes", "show", "--dir", t.TempDir()}, strings.Fields(args)...)...)
		if code != command.ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("show %s: exit code %d: %s", args, code, errs)
		}
	}
}

// A preview shows every token, on the theme's own background from edge to edge.
func TestPreview(t *testing.T) {
	t.Parallel()
	for _, name := range themes.Names() {
		theme, err := themes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, ascii := range []bool{false, true} {
			text := previewOf(theme, previewWidth, ascii)
			plain := ansi.Strip(text)
			for _, tok := range themes.Tokens() {
				if !strings.Contains(plain, " "+tok.String()+" ") || !strings.Contains(text, theme.SGR(tok)) {
					t.Errorf("%s does not show %s", name, tok)
				}
			}
			for line := range strings.Lines(strings.TrimSuffix(text, "\n")) {
				if w := ansi.StringWidth(line); w != previewWidth {
					t.Errorf("%s: a line of %d cells: %q", name, w, ansi.Strip(line))
				}
				if !strings.HasPrefix(line, theme.Base()) {
					t.Errorf("%s: a line on the terminal's background: %q", name, line)
				}
			}
			if ascii && strings.ContainsFunc(plain, func(r rune) bool { return r > '~' }) {
				t.Errorf("%s is not drawn with ASCII:\n%s", name, plain)
			}
		}
	}
}

// What is no terminal gets no escape sequences.
func TestThemesShowIntoAFile(t *testing.T) {
	t.Parallel()
	_, out, _ := run(t, "themes", "show", "light", "--dir", t.TempDir())
	if strings.Contains(out, "\x1b") {
		t.Errorf("escape sequences in a file: %q", out)
	}
}

func TestThemesCheck(t *testing.T) {
	t.Parallel()
	dir := themeFiles(t, map[string]string{
		"fine.toml": "extends = \"dark\"\n",
		"pale.toml": "extends = \"dark\"\n[tokens]\ndim = { fg = \"#444444\" }\n",
		"bad.toml":  "extends = \"dark\"\n[tokens]\nokay = {}\nok = { fg = \"greenish\" }\n",
	})
	file := func(name string) string { return filepath.Join(dir, name) }
	code, out, errs := run(t, "themes", "check", file("fine.toml"), file("pale.toml"), file("bad.toml"))
	if code != command.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{file("fine.toml") + ": ok\n", file("pale.toml") + ": can be used, but is not easy to see:\n  dim is hard to read on the background"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
	for _, want := range []string{"bad.toml:3: tokens.okay", "bad.toml:4: tokens.ok.fg"} {
		if !strings.Contains(errs, want) {
			t.Errorf("want %q in\n%s", want, errs)
		}
	}

	code, out, errs = run(t, "themes", "check", "--json", file("fine.toml"))
	var got []checkedTheme
	if err := json.NewDecoder(bytes.NewBufferString(out)).Decode(&got); err != nil || code != command.ExitOK {
		t.Fatalf("exit code %d, %v: %s", code, err, errs)
	}
	want := []checkedTheme{{listedTheme{Name: "fine", Source: "user", Background: "dark", File: file("fine.toml")}, []string{}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(checkedTheme{})); diff != "" {
		t.Errorf("as JSON (-want +got):\n%s", diff)
	}
	if code, _, _ := run(t, "themes", "check"); code != command.ExitUsage {
		t.Errorf("without a file: exit code %d", code)
	}
}
