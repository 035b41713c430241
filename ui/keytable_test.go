package ui

import (
	"slices"
	"strings"
	"testing"

	_ "github.com/charmbracelet/x/exp/golden" // defines the flag -update

	"wallboard/internal/lib/testkit"
	"wallboard/ui/pages"
)

// TestKeyTable compares the key table in the guide with the actual keys; -update writes it.
func TestKeyTable(t *testing.T) {
	t.Parallel()
	testkit.CheckSection(t, "../docs/user/guide.md", "keys", keyTable())
}

// keyTable returns the keys of a board as a Markdown table.
func keyTable() string {
	var b strings.Builder
	b.WriteString("| key | does |\n|---|---|\n")
	for _, g := range pages.DefaultKeyMap(nil).Groups(nil) {
		b.WriteString("| **" + g.Title.In(nil) + "** | |\n")
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
			b.WriteString("| " + strings.ReplaceAll(keys, "|", `\|`) + " | " + k.Help().Desc + " |\n")
		}
	}
	return b.String()
}
