package proof_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// guard is a code line that keeps the program from lying or doing harm, and the test
// that fails without it.
type guard struct {
	name string
	file string // relative to the module root
	old  string // code that occurs exactly once
	new  string // replacement that disables the guard
	test string // package and test that must fail then
}

// TestGuardsAreInPlace checks that the code of every guard occurs exactly once in
// the source, and that its test exists.
func TestGuardsAreInPlace(t *testing.T) {
	t.Parallel()
	for _, g := range guards() {
		b, err := os.ReadFile(filepath.Join("../../..", g.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(b), g.old); n != 1 {
			t.Errorf("%s: %q is %d times in %s", g.name, g.old, n, g.file)
		}
		if pkg, test, _ := strings.Cut(g.test, " "); !hasTest(t, filepath.Join("../../..", pkg), test) {
			t.Errorf("%s: %s has no %s", g.name, pkg, test)
		}
	}
}

// hasTest reports whether a test file in the folder defines the function.
func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// TestEveryGuardIsNoticed builds the program without each guard in turn and runs the
// test that must then fail. It takes minutes, so it only runs if PROOF_GUARDS is set
// (make guards).
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

// runWithout runs the guard's test on a build without the guard. The source does not
// change.
func runWithout(t *testing.T, g guard) (out string, failed bool) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../..", g.file))
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
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), "RAPID_NOFAILFILE=true") // the test is expected to fail; keep no failure files
	result, err := cmd.CombinedOutput()
	return string(result), err != nil
}
