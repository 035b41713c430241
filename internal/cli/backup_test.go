package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
)

// TestBackup writes a backup on one machine and restores it on another one, whose folders are
// elsewhere. An existing file with other content is only replaced with --force, and kept.
func TestBackup(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	run := func(machine string, want int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		home := filepath.Join(dir, machine)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), platformEnv+"="+strings.Join(args, " "), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_STATE_HOME="+filepath.Join(home, "state"))
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Fatalf("%s %q: exit %d, want %d: %v\n%s", machine, args, code, want, err, out)
		}
		return string(out)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const configuration = "[rtd]\nurl = \"https://rtd.example.com\"\naccess_token_file = \"token\"\n"
	write("one/config/wallboard/config.toml", configuration)
	write("one/config/wallboard/conf.d/audit.toml", "[audit]\nfile = \"actions.jsonl\"\n")
	write("one/config/wallboard/token", "secret")
	write("one/config/wallboard/unrelated.txt", "unrelated")
	write("one/config/wallboard/actions.jsonl", "{}\n")
	write("one/config/wallboard/actions-20261129.jsonl", "{}\n")
	write("one/config/wallboard/tables/config.json", "{}")
	write("one/config/wallboard/themes/mine.toml", "name = \"mine\"")
	write("one/state/wallboard/recordings/a.wbr", "recording")
	write("one/state/wallboard/wallboard.log", "log")
	run("one", cmdutil.ExitOK, "mark", "newsletter")
	out := run("one", cmdutil.ExitOK, "backup", "one.tar.gz")
	for _, leftOut := range []string{"/token (a secret", "/recordings (recordings: copy the folder", "/wallboard.log (a log)"} {
		if !strings.Contains(out, leftOut) {
			t.Errorf("%q is not named as left out:\n%s", leftOut, out)
		}
	}
	if out := run("one", cmdutil.ExitUsage, "backup", "one.tar.gz"); !strings.Contains(out, "exists; a backup never replaces a file") {
		t.Errorf("a second backup to the file: %s", out)
	}

	run("two", cmdutil.ExitOK, "restore", "one.tar.gz", "--dry-run")
	if _, err := os.Stat(filepath.Join(dir, "two/config")); err == nil {
		t.Error("--dry-run wrote a file")
	}
	run("two", cmdutil.ExitOK, "restore", "one.tar.gz")
	restored := func(want map[string]bool) {
		t.Helper()
		for name, exists := range want {
			if _, err := os.Stat(filepath.Join(dir, "two/config/wallboard", name)); (err == nil) != exists {
				t.Errorf("%s: %v, should exist: %v", name, err, exists)
			}
		}
	}
	restored(map[string]bool{"config.toml": true, "conf.d/audit.toml": true, "tables/config.json": true, "themes/mine.toml": true, "actions.jsonl": true, "actions-20261129.jsonl": true, "token": false, "unrelated.txt": false})
	if out := run("two", cmdutil.ExitOK, "mark", "--list"); !strings.Contains(out, "newsletter") {
		t.Errorf("the mark is not restored: %s", out)
	}
	write("two/config/wallboard/config.toml", configuration+"# changed\n")
	if out := run("two", cmdutil.ExitFailed, "restore", "one.tar.gz"); !strings.Contains(out, "1 file exists with other content; nothing is changed") {
		t.Errorf("a conflict: %s", out)
	}
	run("two", cmdutil.ExitOK, "restore", "one.tar.gz", "--force")
	kept, _ := filepath.Glob(filepath.Join(dir, "two/config/wallboard/config.toml.before-restore-*"))
	if len(kept) != 1 {
		t.Fatalf("kept: %q", kept)
	}
	for path, want := range map[string]string{kept[0]: configuration + "# changed\n", filepath.Join(dir, "two/config/wallboard/config.toml"): configuration} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}
