package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
	"wallboard/ui/table"
)

// laidOut returns a file for table layouts.
func laidOut(t *testing.T) string {
	t.Helper()
	dir := testkit.PrivateDir(t)
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return table.LayoutPath(filepath.Join(dir, "config.toml"))
}

// TestColumnsAreChosen hides, moves, widens and sorts columns; a new board with the same
// file starts with that layout.
func TestColumnsAreChosen(t *testing.T) {
	t.Parallel()
	path := laidOut(t)
	open := func() *board {
		b := newBoard(t, 160, 40, func(o *Options) { o.Navigation.Tables = table.OpenLayouts(path) })
		b.press("2")
		return b
	}
	b := open()
	table := b.pages.CurrentPage().Focused()
	was := table.Layout()
	b.press("#", "home", ">", "down", "down", "space")
	b.publish()
	now := table.Layout()
	if now.Columns[0] != was.Columns[1] || now.Columns[1] != was.Columns[0] || len(now.Columns) != len(was.Columns)-1 {
		t.Fatalf("the table is not as chosen: %v, it was %v", now, was)
	}
	b.press("home", "right", "right", "s")
	b.press("enter")
	b.shows("The columns for services are saved.")
	kept := table.Layout()
	if kept.Columns[0].Width == 0 || kept.Sort != kept.Columns[0].ID {
		t.Errorf("neither width nor sort: %v", kept)
	}
	again := open()
	if got := again.pages.CurrentPage().Focused().Layout(); strings.Join(ids(got), " ") != strings.Join(ids(kept), " ") || got.Sort != kept.Sort {
		t.Errorf("another board has %v, want %v", got, kept)
	}
	again.press("#", "r", "enter")
	again.publish()
	if got := again.pages.CurrentPage().Focused().Layout(); strings.Join(ids(got), " ") != strings.Join(ids(was), " ") || got.Sort != was.Sort {
		t.Errorf("the layout of the new board: %v, want %v", got, was)
	}
}

// TestColumnsAreUndone checks that esc discards all changes.
func TestColumnsAreUndone(t *testing.T) {
	t.Parallel()
	path := laidOut(t)
	b := newBoard(t, 160, 40, func(o *Options) { o.Navigation.Tables = table.OpenLayouts(path) })
	b.press("4")
	was := b.pages.CurrentPage().Focused().Layout()
	b.press("#", "down", "space", ">", "right", "s", "esc")
	b.publish()
	if got := b.pages.CurrentPage().Focused().Layout(); strings.Join(ids(got), " ") != strings.Join(ids(was), " ") || got.Sort != was.Sort {
		t.Errorf("after esc: %v, want %v", got, was)
	}
	if l := table.OpenLayouts(path).Layout("agents"); l != nil {
		t.Errorf("a layout is stored: %v", l)
	}
}

// TestGoneColumnIsLeftOut reads a file with an unknown column.
func TestGoneColumnIsLeftOut(t *testing.T) {
	t.Parallel()
	path := laidOut(t)
	book := table.OpenLayouts(path)
	book.SetLayout("services", &table.Layout{Columns: []table.ColumnLayout{{ID: "kpi.gone"}, {ID: "name"}}, Sort: "kpi.gone"})
	if err := book.SaveLayout("services")(); err != nil {
		t.Fatal(err)
	}
	b := newBoard(t, 160, 40, func(o *Options) { o.Navigation.Tables = table.OpenLayouts(path) })
	b.press("2")
	b.send(clockMsg{})
	b.shows("kpi.gone")
	if got := ids(b.pages.CurrentPage().Focused().Layout()); len(got) != 1 || got[0] != "name" {
		t.Errorf("columns %v", got)
	}
}

// TestNoFigureIsCut checks that a narrow column keeps the width of its figures.
func TestNoFigureIsCut(t *testing.T) {
	t.Parallel()
	plain := newBoard(t, 160, 40)
	plain.press("2")
	book := table.OpenLayouts("")
	l := plain.pages.CurrentPage().Focused().Layout()
	for i := range l.Columns {
		l.Columns[i].Width = 1
	}
	book.SetLayout("services", &l)
	b := newBoard(t, 300, 40, func(o *Options) { o.Navigation.Tables = book })
	b.press("2")
	if text := b.text(); strings.Count(text, "Longest") == 0 {
		t.Errorf("a title is cut:\n%s", text)
	}
}

func ids(l table.Layout) []string {
	var out []string
	for _, c := range l.Columns {
		out = append(out, c.ID)
	}
	return out
}
