package main_test

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

// link is a link of Markdown to a file of ours: not to another site, and without
// the place on the page.
var link = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// TestDocumentsLinkToFiles checks that every file that a page links to is there,
// and that no picture is kept that no page shows.
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
