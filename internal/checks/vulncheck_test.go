package checks

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVulncheckThatDidNotLookIsNoPass runs the check with databases that are unreachable, outdated or
// missing. The check must not pass.
func TestVulncheckThatDidNotLookIsNoPass(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	stale := t.TempDir()
	if err := os.Mkdir(filepath.Join(stale, "index"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(stale, "index", "db.json"), []byte(`{"modified":"2020-01-01T00:00:00Z"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for database, want := range map[string]string{
		"http://127.0.0.1:9":         "cannot be reached",
		"file://" + stale:            "days old",
		"file:///nonexistent/vulndb": "cannot be read",
	} {
		cmd := exec.CommandContext(t.Context(), ".ci/vulncheck")
		cmd.Env = append(os.Environ(), "GOVULNDB="+database)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(string(out), "NOT CHECKED") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", database, err, out)
		}
	}
}
