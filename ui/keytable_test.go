package ui

import (
	"flag"
	"os"
	"slices"
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
		want := before + begin + keyTable() + end + after
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

// keyTable returns the keys of a board as a table in Markdown.
func keyTable() string {
	var b strings.Builder
	b.WriteString("| | key | does |\n|---|---|---|\n")
	for _, g := range DefaultKeyMap().Groups() {
		title := "**" + g.Title + "**"
		for _, k := range g.Keys {
			if len(k.Keys()) == 0 {
				continue
			}
			names := slices.Clone(k.Keys())
			for i, n := range names {
				names[i] = "`" + n + "`"
			}
			keys := strings.Join(names, " ")
			if len(names) > 4 {
				keys = names[0] + " to " + names[len(names)-1]
			}
			b.WriteString("| " + title + " | " + strings.ReplaceAll(keys, "|", `\|`) + " | " + k.Help().Desc + " |\n")
			title = ""
		}
	}
	return b.String()
}
