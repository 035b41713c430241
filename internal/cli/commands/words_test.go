package commands

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
)

// TestWordsGoToReviewersAndBack exports a translation, changes it as a reviewer does, with a mistake, imports it, and
// exports it again.
func TestWordsGoToReviewersAndBack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "words")
	run := func(args ...string) (out string, err error) {
		var text bytes.Buffer
		cmd := WordsCommand(&cmdutil.Setup{Streams: cmdutil.Streams{Out: &text, Err: &text}})
		cmd.SetArgs(append(args, "--dir", dir))
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		err = cmd.Execute()
		return text.String(), err
	}
	po, err := run("export", "it")
	if err != nil || !strings.Contains(po, "msgctxt \"count.calls\"") {
		t.Fatalf("export: %v: %.300s", err, po)
	}
	entry := func(key, text string) string {
		return "\nmsgctxt \"" + key + "\"\nmsgid \"\"\nmsgstr \"" + text + "\"\n"
	}
	file := filepath.Join(t.TempDir(), "it.po")
	reviewed := "msgid \"\"\nmsgstr \"\"\n" + entry("language.name", "Italiano") + entry("language.review", "riletto da Anna") + entry("count.calls", "{x} chiamate")
	if err := os.WriteFile(file, []byte(reviewed), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run("import", file)
	if err == nil || !strings.Contains(err.Error(), "it.po:12: count.calls: there is no parameter {x}") || !strings.HasPrefix(out, "2 of ") {
		t.Errorf("import: %v: %s", err, out)
	}
	if out, err := run(); err != nil || !strings.Contains(out, "riletto da Anna") {
		t.Errorf("list: %v: %s", err, out)
	}
	if po, err := run("export", "it"); err != nil || !strings.Contains(po, "msgstr \"riletto da Anna\"") {
		t.Errorf("the second export: %v", err)
	}
	for _, args := range [][]string{{"export", "xx"}, {"export", "en"}, {"import", filepath.Join(dir, "de.txt")}, {"import", filepath.Join(dir, "de.po")}} {
		if _, err := run(args...); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
