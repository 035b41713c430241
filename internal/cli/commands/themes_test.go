package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
	"wallboard/themes"
)

// themeFiles writes a user's themes into a directory.
func themeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := testkit.PrivateDir(t)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs the command themes and returns its output and error.
func run(t *testing.T, json bool, args ...string) (out string, err error) {
	t.Helper()
	var text bytes.Buffer
	cmd := ThemesCommand(&cmdutil.Setup{Streams: cmdutil.Streams{Out: &text, Err: &text}, JSON: json})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return text.String(), err
}

// refused reports whether an error is a usage error with some words.
func refused(err error, words string) bool {
	var usage cmdutil.UsageError
	return errors.As(err, &usage) && strings.Contains(err.Error(), words)
}

func TestThemesLists(t *testing.T) {
	t.Parallel()
	dir := themeFiles(t, map[string]string{
		"dark.toml":   "description = \"Ours\"\nextends = \"dark\"\n",
		"broken.toml": "extends = \"drak\"\n",
	})
	out, err := run(t, false, "--dir", dir)
	if want := "dark           user      dark        Ours\n"; !strings.Contains(out, want) {
		t.Errorf("want %q in\n%s", want, out)
	}
	if want := filepath.Join(dir, "broken.toml") + ":1: extends: there is no theme \"drak\""; !refused(err, want) {
		t.Errorf("want %q: %v", want, err)
	}

	out, _ = run(t, true, "--dir", dir)
	var got struct{ Result []themeEntry }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := themeEntry{Name: "dark", Source: "user", Background: "dark", Description: "Ours", File: filepath.Join(dir, "dark.toml")}
	if len(got.Result) != len(themes.EmbeddedNames()) || got.Result[1] != want {
		t.Errorf("as JSON: %+v", got.Result)
	}
}

func TestThemesShow(t *testing.T) {
	t.Parallel()
	out, err := run(t, false, "show", "--all", "--dir", testkit.PrivateDir(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range themes.EmbeddedNames() {
		if !strings.Contains(out, " "+name+"  ") {
			t.Errorf("%s is not shown", name)
		}
	}
	for args, want := range map[string]string{"": "name a theme, or give --all", "drak": "there is no theme \"drak\"", "dark --all": "--all"} {
		if _, err := run(t, false, append([]string{"show", "--dir", testkit.PrivateDir(t)}, strings.Fields(args)...)...); !refused(err, want) {
			t.Errorf("show %s: %v", args, err)
		}
	}
}

// TestThemesShowIntoAFile checks that output that is not a terminal gets no escape sequences.
func TestThemesShowIntoAFile(t *testing.T) {
	t.Parallel()
	out, _ := run(t, false, "show", "light", "--dir", testkit.PrivateDir(t))
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
	out, err := run(t, false, "check", file("fine.toml"), file("pale.toml"), file("bad.toml"))
	for _, want := range []string{file("fine.toml") + ": ok\n", file("pale.toml") + ": can be used, but is not easy to see:\n  dim is hard to read on the background"} {
		if !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
	for _, want := range []string{"bad.toml:3: tokens.okay", "bad.toml:4: tokens.ok.fg"} {
		if !refused(err, want) {
			t.Errorf("want %q: %v", want, err)
		}
	}

	out, err = run(t, true, "check", file("fine.toml"))
	var got []themeCheck
	if bad := json.NewDecoder(bytes.NewBufferString(out)).Decode(&got); bad != nil || err != nil {
		t.Fatalf("%v, %v: %s", err, bad, out)
	}
	want := []themeCheck{{themeEntry{Name: "fine", Source: "user", Background: "dark", File: file("fine.toml")}, []string{}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(themeCheck{})); diff != "" {
		t.Errorf("as JSON (-want +got):\n%s", diff)
	}
	if _, err := run(t, false, "check"); err == nil || !strings.Contains(err.Error(), "at least 1") { // the root command makes it a usage error
		t.Errorf("without a file: %v", err)
	}
}
