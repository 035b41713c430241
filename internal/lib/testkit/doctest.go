package testkit

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// CheckSection checks that a section of the file at path equals text. The section is enclosed
// by the lines <!-- NAME: run make docs --> and <!-- end of NAME -->. With the test flag
// -update, CheckSection replaces the section with text instead of reporting a difference.
func CheckSection(t *testing.T, path, name, text string) {
	t.Helper()
	begin, end := "<!-- "+name+": run make docs -->\n", "<!-- end of "+name+" -->"
	page, err := os.ReadFile(path) //nolint:gosec // the path comes from a test
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the %s: %s … %s", path, name, begin, end)
	}
	want := before + begin + text + end + after
	if want == string(page) {
		return
	}
	if update := flag.Lookup("update"); update == nil || update.Value.String() != "true" {
		t.Errorf("the %s in %s are not those of the program: run make docs", name, path)
	} else if err := os.WriteFile(path, []byte(want), 0o644); err != nil { //nolint:gosec // documentation
		t.Fatal(err)
	}
}
