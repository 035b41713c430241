//go:build unix

package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
)

// TestLogFollowsNoLink checks that nothing is written through a link in place of the log.
func TestLogFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "log")
	if err := os.Symlink(victim, at); err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Log.File = at
	b := &commandSetup{Setup: &cmdutil.Setup{Options: loadOptions}}
	if _, _, err := b.OpenLog(&c, new(slog.LevelVar)); err == nil {
		t.Error("the log follows a link")
	}
	if f, _ := os.ReadFile(victim); string(f) != "mine" {
		t.Errorf("the file that it leads to is %q", f)
	}
	if _, err := securefile.HoldLock(at, 0); err == nil {
		t.Error("a lock follows a link")
	}
}

// TestOpenFoldersAreClosed checks that a folder of the program becomes private if others can access it,
// and that nothing is written if the folder is a link.
func TestOpenFoldersAreClosed(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	own := filepath.Join(dir, "wallboard")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	f := statefile.NewAlertFile(filepath.Join(own, "alerts.jsonl"), slog.New(slog.DiscardHandler))
	if err := f.Add([]alert.Alert{{ID: "1", Since: time.Now(), Ack: alert.Ack{By: "Anna", At: time.Now()}}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v %v", info.Mode(), err)
	}
	linked := filepath.Join(dir, "linked")
	if err := os.Symlink(own, linked); err != nil {
		t.Fatal(err)
	}
	if _, err := securefile.CreateFolder(linked); err == nil {
		t.Error("a link is taken for a folder of ours")
	}
	if err := securefile.Replace(filepath.Join(linked, "x"), nil); err == nil {
		t.Error("it is written through a link")
	}
}
