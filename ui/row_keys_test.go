package ui

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/ui/pages"
	"wallboard/ui/table"
)

// TestPinnedRowStaysOnTop checks that a pinned row is the first in any order, also on another
// board with the same file.
func TestPinnedRowStaysOnTop(t *testing.T) {
	t.Parallel()
	path := table.LayoutPath(filepath.Join(testkit.PrivateDir(t), "config.toml"))
	withTables := func(o *Options) { o.Navigation.Tables = table.OpenLayouts(path) }
	b := newBoard(t, 160, 45, withTables)
	first := func(b *board) string {
		t.Helper()
		b.press("home")
		return b.selected()
	}
	b.press("4", "s", "s", "s", "down", "down", "down")
	pinned, top := b.selected(), ""
	b.press("ctrl+t")
	b.shows("Pinned to the top.")
	b.shows("▌ ↑")
	for _, keys := range [][]string{{"s"}, {"S"}, {"s"}, {"S"}} {
		b.press(keys...)
		if top = first(b); top != pinned {
			t.Errorf("the first row is %s, want %s", top, pinned)
		}
	}
	again := newBoard(t, 160, 45, withTables)
	again.press("4")
	if top = first(again); top != pinned {
		t.Errorf("on another board the first row is %s, want %s", top, pinned)
	}
	again.press("ctrl+t")
	again.shows("Unpinned.")
	again.hides("▌ ↑")
	b.press("7", "ctrl+t")
	b.shows("This row cannot be pinned.")
}

// TestDigitPicksTheSortColumn checks that a digit picks a column after the key that sorts, and a
// page later.
func TestDigitPicksTheSortColumn(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45)
	b.press("2")
	table := b.pages.CurrentPage().Focused()
	visible := table.Table.VisibleColumns()
	b.press("s")
	b.shows("Sort by  1 Service")
	b.press("3")
	if id, _ := table.Table.Sort(); id != visible[2] || b.pages.Current != pages.Services {
		t.Fatalf("sorted by %s of %v", id, visible)
	}
	_, desc := table.Table.Sort()
	b.press("3") // the same digit again reverses the order
	if _, now := table.Table.Sort(); now == desc {
		t.Error("the order is not reversed")
	}
	b.pass(4 * time.Second)
	lines := strings.Split(b.text(), "\n")
	if last := lines[len(lines)-1]; strings.Contains(last, "Sort by") {
		t.Error(last)
	}
	b.press("3")
	if b.pages.Current != pages.Groups {
		t.Errorf("the page is %v", b.pages.Current)
	}
	b.press("2", "s", "down", "3") // any other key ends the choice
	if b.pages.Current != pages.Groups {
		t.Errorf("the page is %v", b.pages.Current)
	}
}
