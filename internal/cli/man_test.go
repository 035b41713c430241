package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
)

// TestManPages checks that every command has a page with all sections, which does not depend on
// the user and the time, and that man accepts it.
func TestManPages(t *testing.T) {
	dir := filepath.Join(testkit.PrivateDir(t), "man")
	t.Setenv("SOURCE_DATE_EPOCH", "1000000000")
	if code, _, errs := run(t, "man", "--dir", dir); code != cmdutil.ExitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 60 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	groff, _ := exec.LookPath("groff") // "": not installed, its warnings are not checked
	for _, page := range pages {
		name := filepath.Base(page)
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"2001-09-09"`, "\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH DESCRIPTION\n", "\n.SH FILES\n", "\n.SH ENVIRONMENT\n", "\n.SH EXIT STATUS\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %s", name, strings.TrimSpace(want))
			}
		}
		if strings.Contains(string(text), filepath.Dir(config.DefaultPath())) {
			t.Errorf("%s has the directory of this user", name)
		}
		if groff != "" {
			out, err := exec.CommandContext(t.Context(), groff, "-k", "-Kutf8", "-man", "-Tutf8", "-ww", "-z", page).CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
	if code, out, _ := run(t, "man", "serve", "check"); code != cmdutil.ExitOK || !strings.Contains(out, `.TH "WALLBOARD-SERVE-CHECK" 1`) {
		t.Errorf("exit %d: %.200s", code, out)
	}
	if code, _, errs := run(t, "man", "dance"); code != cmdutil.ExitUsage || !strings.Contains(errs, "dance") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
