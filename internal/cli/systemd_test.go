package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// unitCommand matches the command of a unit, which may not be installed on this machine.
var unitCommand = regexp.MustCompile(`(?m)^ExecStart=\S+`)

func TestSystemdAcceptsTheUnits(t *testing.T) {
	t.Parallel()
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		verify = "" // not installed: only the settings are checked
	}
	units, err := filepath.Glob("../../docs/admin/systemd/*.service")
	if err != nil || len(units) < 2 {
		t.Fatalf("the units are %v: %v", units, err)
	}
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		if err != nil {
			t.Fatal(err)
		}
		for _, setting := range []string{"\nLimitCORE=0\n", "\nMemoryMax="} {
			if !strings.Contains(string(text), setting) {
				t.Errorf("%s does not set %s", unit, strings.TrimSpace(setting))
			}
		}
		if verify == "" {
			continue
		}
		present := unitCommand.ReplaceAll(text, []byte("ExecStart=/bin/true"))
		name := strings.Replace(filepath.Base(unit), "@.", "@tty1.", 1)
		path := filepath.Join(testkit.PrivateDir(t), name)
		if err := os.WriteFile(path, present, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), verify, "verify", "--man=no", "--recursive-errors=no", path).CombinedOutput()
		if err != nil || strings.Contains(string(out), name) {
			t.Errorf("%s: %v\n%s", unit, err, out)
		}
	}
}

// TestServerIsShut checks that systemd rates the unit's exposure at most 2.0.
func TestServerIsShut(t *testing.T) {
	t.Parallel()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not on this machine")
	}
	text, err := os.ReadFile("../../docs/admin/systemd/wallboard-serve.service")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(testkit.PrivateDir(t), "wallboard-serve.service")
	if err := os.WriteFile(path, unitCommand.ReplaceAll(text, []byte("ExecStart=/bin/true")), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=true", "--no-pager", "--threshold=20", path).CombinedOutput()
	switch {
	case strings.Contains(string(out), "unrecognized option"):
		t.Skip("this systemd-analyze looks at no unit that is not installed")
	case err != nil || !strings.Contains(string(out), "exposure level"):
		t.Errorf("%v\n%s", err, out)
	}
}
