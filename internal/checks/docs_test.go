package checks

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// link matches a link in Markdown to a file of this project, not to another site. It captures the path
// without the anchor.
var link = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// TestDocumentsLinkToFiles checks that every file that a page links to is there, and that every stored
// picture is shown on a page.
func TestDocumentsLinkToFiles(t *testing.T) {
	t.Parallel()
	linked := make(map[string]bool)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			file := path.Join(path.Dir(page), m[1])
			linked[file] = true
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
	pictures, err := filepath.Glob("docs/screenshots/*.png")
	if err != nil || len(pictures) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	for _, p := range pictures {
		if !linked[filepath.ToSlash(p)] {
			t.Errorf("%s is shown on no page", p)
		}
	}
}

// pages are the Markdown files of the project.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != "." && strings.HasPrefix(d.Name(), ".") && d.Name() != ".github" {
			return fs.SkipDir
		}
		if err == nil && strings.HasSuffix(p, ".md") {
			found = append(found, filepath.ToSlash(p))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(found, "README.md") {
		t.Fatalf("no README.md among %q", found)
	}
	return found
}

// TestDocumentsNameTests checks that every test that a page names is there.
func TestDocumentsNameTests(t *testing.T) {
	t.Parallel()
	defined := make(map[string]bool)
	err := filepath.WalkDir(".", func(p string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		code, err := os.ReadFile(p)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(code, -1) {
			defined[string(m[1])] = true
		}
		return err
	})
	if err != nil || len(defined) == 0 {
		t.Fatalf("%d tests found: %v", len(defined), err)
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`(?:[a-z/]+ )?((?:Test|Fuzz)[A-Z]\\w+)`").FindAllSubmatch(text, -1) {
			if !defined[string(m[1])] {
				t.Errorf("%s names %s, which is no test", page, m[1])
			}
		}
	}
}
