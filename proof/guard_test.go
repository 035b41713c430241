package proof_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/testkit"
)

// guard is a line of the program without which it would lie or do harm, and the
// test that notices when it is gone.
type guard struct {
	name string
	file string // from the module's root
	old  string // what is there once
	new  string // what takes its place when the guard is disabled
	test string // package and test that must then fail
}

// TestGuardsAreInPlace keeps the table of guards true: what it disables is in
// the source, exactly once.
func TestGuardsAreInPlace(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../docs/proof.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guards() {
		b, err := os.ReadFile(filepath.Join("..", g.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(b), g.old); n != 1 {
			t.Errorf("%s: %q is %d times in %s", g.name, g.old, n, g.file)
		}
		if _, test, _ := strings.Cut(g.test, " "); !strings.Contains(string(doc), "| "+g.name+" | `"+test+"`") {
			t.Errorf("docs/proof.md has no line | %s | `%s` |", g.name, test)
		}
	}
}

// TestEveryGuardIsNoticed builds the program with one guard disabled after the
// other and lets the test run that must fail then. It takes minutes, so it
// runs when PROOF_GUARDS is set: make guards.
func TestEveryGuardIsNoticed(t *testing.T) {
	t.Parallel()
	if os.Getenv("PROOF_GUARDS") == "" {
		t.Skip("make guards runs it")
	}
	for _, g := range guards() {
		t.Run(g.name, func(t *testing.T) {
			out, failed := runWithout(t, g)
			switch {
			case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
				t.Fatalf("does not build without it:\n%s", out)
			case !failed:
				t.Errorf("%s passes without it", g.test)
			}
			t.Logf("%s", strings.Join(failures.FindAllString(out, 4), "\n"))
		})
	}
}

var failures = regexp.MustCompile(`--- FAIL: \S+|panic: .*`)

// runWithout runs the guard's test on a build without the guard; the source
// stays as it is.
func runWithout(t *testing.T, g guard) (out string, failed bool) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", g.file))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := testkit.PrivateDir(t)
	changed := filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(changed, []byte(strings.Replace(string(b), g.old, g.new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	pkg, test, _ := strings.Cut(g.test, " ")
	args := []string{"test", "-overlay", list, "-count", "1", "-timeout", "3m", "-vet", "off"}
	if test != "" {
		args = append(args, "-run", "^"+test+"$")
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "wallboard/"+pkg)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "RAPID_NOFAILFILE=true") // it is meant to fail: nothing to try again
	result, err := cmd.CombinedOutput()
	return string(result), err != nil
}
