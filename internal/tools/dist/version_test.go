package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestLinkedVariables checks that the program has the variables that the linker sets. The linker
// ignores unknown ones, so a release would not know its version.
func TestLinkedVariables(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"compile.go", "formula.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`"-X wallboard/([a-z/]+)\."`).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s sets no variables", name)
		}
		files, err := filepath.Glob(filepath.Join("..", "..", "..", string(found[1]), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var source []byte
		for _, file := range files {
			one, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source = append(source, one...)
		}
		for _, variable := range []string{"release", "releaseHash", "releaseTime"} {
			if !regexp.MustCompile(`(?m)^\t` + variable + `\s+string\b`).Match(source) {
				t.Errorf("%s sets %s, which is not in %s", name, variable, found[1])
			}
		}
	}
}
