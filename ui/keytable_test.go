package ui

import (
	"flag"
	"os"
	"strings"
	"testing"

	_ "github.com/charmbracelet/x/exp/golden" // which has the flag -update
)

// TestKeyTable holds the tables of keys in the manual to the keys that there
// are; with -update it writes them.
func TestKeyTable(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- keys: run make docs -->\n", "<!-- end of keys -->"
	for _, path := range []string{"../README.md", "../docs/guide.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, found := strings.Cut(string(text), begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Errorf("%s has no place for the keys: %s … %s", path, begin, end)
			continue
		}
		want := before + begin + KeyTable() + end + after
		if want == string(text) {
			continue
		}
		if flag.Lookup("update").Value.String() != "true" {
			t.Errorf("the keys in %s are not those of the board: run make docs", path)
		} else if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
