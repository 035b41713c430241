package widgets

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestBlocksHaveRoom checks that the blocks of all agents fit if there is a block size, and that there is
// also a block size for larger screens.
func TestBlocksHaveRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(20, 300).Draw(t, "w"), rapid.IntRange(1, 80).Draw(t, "h")
		groups := []agentGroup{{rows: make([]int32, rapid.IntRange(1, 400).Draw(t, "n"))}}
		for i, n := range rapid.SliceOfN(rapid.IntRange(1, 40), 0, 8).Draw(t, "groups") {
			groups = append(groups, agentGroup{title: fmt.Sprint("group ", i), rows: make([]int32, n)})
		}
		b, ok := blockSizeFor(blockSizes, groups, w, h)
		if !ok {
			return
		}
		lines := 0
		for _, g := range groups {
			columns := w / b.w
			lines += b.h * ((len(g.rows) + columns - 1) / columns)
		}
		if lines > h {
			t.Fatalf("%d lines in %dx%d as %+v", lines, w, h, b)
		}
		if _, ok := blockSizeFor(blockSizes, groups, w+w/2, h+h/2); !ok {
			t.Fatalf("%+v in %dx%d, and none in more room", b, w, h)
		}
	})
}

// TestNobodyHasNoForm checks that there is no block size without agents, for example at night.
func TestNobodyHasNoForm(t *testing.T) {
	t.Parallel()
	for h := range 80 {
		if b, ok := blockSizeFor(blockSizes, []agentGroup{{}}, 200, h); ok {
			t.Errorf("no agents have the form %+v in %d lines", b, h)
		}
	}
}

// TestInitials checks that initials are short, and distinguish masked names.
func TestInitials(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Becker Katrin": "BK", "Agent 12": "12", "Øystein": "Ø", "": "", "García Márquez Lucía": "GM", "王 Wei": "W", "김 민준": "김", "佐藤 健": "佐", "👩 👩": "AB",
	} {
		if got := initials(name, "anna.berg"); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
