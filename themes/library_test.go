package themes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// userDir writes files of themes into a new directory.
func userDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// said returns the text of an error without the directory; "": no error.
func said(err error, dir string) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
}

func TestExtends(t *testing.T) {
	t.Parallel()
	theme, err := Parse([]byte(`name = "mine"
extends = "dark"
[palette]
green = "#00ff00"
[tokens]
warn = { fg = "green", reverse = true }
`))
	if err != nil {
		t.Fatal(err)
	}
	if theme.Name != "mine" || theme.BackgroundKind() != "dark" {
		t.Errorf("name %q, ground %q; want the own name and the base's ground", theme.Name, theme.BackgroundKind())
	}
	if got, want := theme.OpenSequence(StateReady), "\x1b[38;2;0;255;0m"; got != want {
		t.Errorf("a token of the base has %q, want the new colour %q", got, want)
	}
	if got, want := theme.OpenSequence(Warn), "\x1b[38;2;0;255;0;7m"; got != want {
		t.Errorf("warn = %q, want %q: a token is replaced whole", got, want)
	}
	if got, want := theme.OpenSequence(Dim), load(t, "dark").OpenSequence(Dim); got != want {
		t.Errorf("dim = %q, want the base's %q", got, want)
	}
}

func TestLibrary(t *testing.T) {
	t.Parallel()
	dir := userDir(t, map[string]string{
		// A theme that replaces an embedded theme may extend it.
		"dark.toml":    "extends = \"dark\"\n[palette]\ngreen = \"#00ff00\"\n",
		"office.toml":  "description = \"Ours\"\nextends = \"dark\"\n[palette]\nred = \"#ff0000\"\n",
		"night.toml":   "extends = \"office\"\n[tokens]\ndim = { fg = 8 }\n",
		".#night.toml": "what an editor leaves behind",
		"README":       "no theme",
	})
	l, err := OpenLibrary(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"colour-blind", "dark", "high-contrast", "light", "monochrome", "night", "office", "terminal-16"}
	if diff := cmp.Diff(want, l.Names()); diff != "" {
		t.Errorf("Names() (-want +got):\n%s", diff)
	}
	theme := func(name string) Theme {
		t.Helper()
		theme, err := l.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		return theme
	}
	if got, want := theme("dark").File, filepath.Join(dir, "dark.toml"); got != want {
		t.Errorf("dark comes from %q, want %q", got, want)
	}
	if got, want := theme("night").OpenSequence(OK), "\x1b[38;2;0;255;0m"; got != want {
		t.Errorf("ok = %q, want %q of the user's own dark, two themes down", got, want)
	}
	if got, want := theme("night").OpenSequence(GaugeCritical), "\x1b[38;2;255;0;0m"; got != want {
		t.Errorf("gaugeCritical = %q, want %q of office", got, want)
	}
	if got, want := theme("high-contrast").OpenSequence(StateReady), load(t, "high-contrast").OpenSequence(StateReady); got != want {
		t.Errorf("an embedded theme changed with the user's dark: %q, want %q", got, want)
	}
	if got := theme("office").Description; got != "Ours" {
		t.Errorf("description %q", got)
	}
	if _, err := l.Load("no-such"); err == nil || !strings.Contains(err.Error(), "office") {
		t.Errorf("error %v does not list the themes", err)
	}
}

func TestOpenWithoutDirectory(t *testing.T) {
	t.Parallel()
	l, err := OpenLibrary(filepath.Join(t.TempDir(), "themes"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(EmbeddedNames(), l.Names()); diff != "" {
		t.Errorf("Names() (-want +got):\n%s", diff)
	}
}

func TestOpenSaysEverything(t *testing.T) {
	t.Parallel()
	dir := userDir(t, map[string]string{
		"auto.toml":       "extends = \"dark\"\n",
		"bad name.toml":   "extends = \"dark\"\n",
		"circle-a.toml":   "\nextends = \"circle-b\"\n",
		"circle-b.toml":   "extends = \"circle-a\"\n",
		"dark.toml":       "extends = \"dark\"\n[tokens]\nokay = {}\n",
		"good.toml":       "extends = \"light\"\n",
		"leans.toml":      "# on one with problems\nextends = \"dark\"\n",
		"named.toml":      "name = \"other\"\nextends = \"light\"\n",
		"self.toml":       "extends = \"self\"\n",
		"big.toml":        "extends = \"light\"\n" + strings.Repeat("#", maxFileSize),
		"nowhere.toml":    "extends = \"drak\"\n",
		"incomplete.toml": "[tokens]\nok = {}\n",
	})
	if err := os.Mkdir(filepath.Join(dir, "folder.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := OpenLibrary(dir)
	want := `auto.toml: a theme cannot be called "auto", which chooses between dark and light; rename the file
bad name.toml: the file gives the theme the name "bad name"; rename it: use up to 40 of a-z, A-Z, 0-9, - and _, a letter first
big.toml: cannot be read: it is larger than 16384 bytes; it should be a text file that you may read
circle-a.toml:2: extends: goes round in a circle: circle-a -> circle-b -> circle-a; let one of them extend an embedded theme
circle-b.toml:1: extends: goes round in a circle: circle-b -> circle-a -> circle-b; let one of them extend an embedded theme
dark.toml:3: tokens.okay: unknown token; ` + "`wallboard themes show dark`" + ` shows all
folder.toml: cannot be read: it is not a regular file; it should be a text file that you may read
incomplete.toml:1: tokens: lacks text, dim, faint, and 46 more; put extends = "dark" on the first line to take them from that theme
leans.toml:2: extends: the theme "dark" has problems of its own; fix them first
named.toml:1: name: the file gives the theme the name "named"; take the line out, or rename the file
self.toml:1: extends: there is no theme "self"; there are circle-a
nowhere.toml:1: extends: there is no theme "drak"; there are circle-a, circle-b, colour-blind, good, high-contrast, incomplete, leans, light, monochrome, self, terminal-16`
	got := said(err, dir)
	for line := range strings.SplitSeq(want, "\n") {
		if !strings.Contains(got, line) {
			t.Errorf("not said: %s", line)
		}
	}
	if t.Failed() {
		t.Logf("said:\n%s", got)
	}
	if names := l.Names(); !slices.Contains(names, "good") || slices.Contains(names, "dark") {
		t.Errorf("themes to choose from: %q", names)
	}
	// Load must not use the embedded theme instead: that would hide the problem.
	if _, err := l.Load("dark"); err == nil || !strings.Contains(err.Error(), "tokens.okay") {
		t.Errorf("loading a theme with problems: %v", err)
	}
}

func TestOpenBoundsTheFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxFiles + 5 {
		files[fmt.Sprintf("t%03d.toml", i)] = "extends = \"dark\"\n"
	}
	dir := userDir(t, files)
	l, err := OpenLibrary(dir)
	if got, want := said(err, dir), "t100.toml: is one theme too many; 100 are read, in alphabetical order"; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	if got, want := len(l.Names()), maxFiles+len(EmbeddedNames()); got != want {
		t.Errorf("%d themes, want %d", got, want)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	dir := userDir(t, map[string]string{"office.toml": "extends = \"dark\"\n"})
	l, err := OpenLibrary(dir)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := userDir(t, map[string]string{
		"office.toml": "extends = \"light\"\n",
		"next.toml":   "extends = \"office\"\n",
	})
	for name, want := range map[string]string{"office.toml": "light", "next.toml": "dark"} {
		theme, err := l.CheckFile(filepath.Join(elsewhere, name))
		if err != nil {
			t.Fatal(err)
		}
		if theme.BackgroundKind() != want {
			t.Errorf("%s is %s, want %s", name, theme.BackgroundKind(), want)
		}
	}
	if _, err := l.CheckFile(filepath.Join(dir, "no-such.toml")); err == nil {
		t.Error("a file that is not there is no problem")
	}
}

func TestParseSaysEverything(t *testing.T) {
	t.Parallel()
	_, err := Parse([]byte(`colour = 1
name = "\u001b[2Jme"
description = "one\ntwo"
extends = "dark"

[palette]
blue = "bleu"
"a b" = "#ffffff"
default = "#ffffff"
teal = { fg = 1 }

[tokens]
okay = {}
ok = { fg = "#12", bg = "256", italic = true }
warn = { bold = "yes",
  underline = 1 }
dim = "grey"
"\u001b]0;x\u0007" = {}
`))
	want := `line 1: colour: unknown key; allowed are name, description, extends, [palette] and [tokens]
line 2: name: "\x1b[2Jme" cannot be the name of a theme; use up to 40 of a-z, A-Z, 0-9, - and _, a letter first
line 3: description: is not a short line of text; up to 80 printable characters are allowed
line 7: palette.blue: "bleu" is no colour; allowed are "#rrggbb", "#rgb", a number from 0 to 255, "default"
line 8: palette."a b": cannot be the name of a colour; use up to 40 of a-z, A-Z, 0-9, - and _, a letter first, but not "default"
line 9: palette.default: cannot be the name of a colour; use up to 40 of a-z, A-Z, 0-9, - and _, a letter first, but not "default"
line 10: palette.teal: must be a colour; allowed are "#rrggbb", "#rgb", a number from 0 to 255, "default"
line 13: tokens.okay: unknown token; ` + "`wallboard themes show dark`" + ` shows all
line 14: tokens.ok.fg: "#12" is no colour; allowed are "#rrggbb", "#rgb", a number from 0 to 255, "default" and the names in [palette]
line 14: tokens.ok.bg: "256" is no colour; allowed are "#rrggbb", "#rgb", a number from 0 to 255, "default" and the names in [palette]
line 14: tokens.ok.italic: unknown key; allowed are fg, bg, bold, faint, reverse and underline
line 15: tokens.warn.bold: must be true or false; without quotes
line 15: tokens.warn.underline: must be true or false; without quotes
line 17: tokens.dim: must be a table; write it like { fg = "#ffffff", bold = true }
`
	if err == nil {
		t.Fatal("no error")
	}
	got, last, _ := strings.Cut(err.Error(), "line 18: ")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if !strings.Contains(last, "unknown token") || strings.Contains(last, "\x1b") {
		t.Errorf("of the last line it says %q", last)
	}
	if _, ok := errors.AsType[*Problem](err); !ok {
		t.Error("the error holds no Problem")
	}
}

func TestParseOtherProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\nname = ":          "line 2: not valid TOML",
		"extends = 1":        "line 1: extends: must be a text; write it in quotes",
		"palette = 1":        "line 1: palette: must be a table; write [palette] on a line of its own, its keys below",
		"[tokens]\n[tokens]": "line 2: not valid TOML",
		"extends = \"light\"\n[tokens]\ntext = { bg = \"background\" }\n": "line 3: tokens.text: has a background without a fg",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Parse(%q): error %v, want %s", text, err, want)
		}
	}
}

func TestParseNeverPanics(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ok", "text", "nope"}).Draw(t, "token")
		data := fmt.Sprintf("extends = %q\n[palette]\na = %q\n[tokens]\n%s = { fg = %q }\n",
			rapid.SampledFrom([]string{"dark", "", "../dark", "mine"}).Draw(t, "base"),
			rapid.String().Draw(t, "colour"), name, rapid.String().Draw(t, "fg"))
		theme, err := Parse([]byte(data))
		if err == nil && theme.styles == nil {
			t.Fatal("neither theme nor error")
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x1b\u202e") {
			t.Fatalf("the error can move the cursor: %q", err)
		}
	})
}

// TestThemesAreReadOnce checks that a folder is read again only after a file in it has changed.
func TestThemesAreReadOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "mine.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("base = \"dark\"\n")
	var o cachedLibrary
	for range 5 {
		if l, _ := o.open(dir, stampOf(dir)); l == nil {
			t.Fatal("no library")
		}
	}
	if o.reads != 1 {
		t.Errorf("%d times for five logins", o.reads)
	}
	write("base = \"light\"\nx" + strings.Repeat(".a", 4000) + " = 1")
	if _, err := o.open(dir, stampOf(dir)); o.reads != 2 || err == nil || !strings.Contains(err.Error(), "more than 20 parts") {
		t.Errorf("%d reads of a file that has changed, %v", o.reads, err)
	}
}

// Parse compiles a palette outside a [Library]; it may extend embedded themes. The error
// joins every [Problem].
func Parse(data []byte) (Theme, error) {
	return embeddedSources().compile(readPalette("", string(data)))
}
