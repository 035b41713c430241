package table

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// tallTable returns a table whose second column fits only on the second lines.
func tallTable(rows, height int, opts ...Option) *Model {
	m := newTable(numbered(rows), 12, height, opts...)
	m.SetColumns(Column{ID: "name", Title: "Name", Min: 10, Priority: 9}, Column{ID: "n", Title: "No", Min: 2, Align: Right})
	m.SetTwoLines(true)
	return m
}

func TestSecondLineHasWhatTheFirstHasNoRoomFor(t *testing.T) {
	t.Parallel()
	m := tallTable(2, 6)
	got := lines(m)
	for i, want := range []string{"Name", "row 00", "No  0", "row 01", "No  1", ""} {
		if line := strings.TrimSpace(strings.Trim(got[i], "▌")); line != want {
			t.Errorf("line %d is %q, want %q", i, line, want)
		}
	}
	m.SetSize(40, 6) // both columns fit
	if got := lines(m); !strings.Contains(got[2], "row 01") {
		t.Errorf("where all columns have room, rows have two lines:\n%s", strings.Join(got, "\n"))
	}
}

// TestTallRowsAreSteered checks that for the mouse and the keys, both lines of a row belong to the row.
func TestTallRowsAreSteered(t *testing.T) {
	t.Parallel()
	m := tallTable(9, 8) // room for three rows and half of a fourth
	for y, want := range []string{"", "k00", "k00", "k01", "k01", "k02", "k02", ""} {
		if got := m.HitTest(4, y).Key; got != want {
			t.Errorf("on line %d is %q, want %q", y, got, want)
		}
	}
	m.Update(tea.MouseClickMsg{X: 4, Y: 4, Button: tea.MouseLeft})
	wantSelected(t, m, "k01")
	press(m, "end")
	wantSelected(t, m, "k08")
	if got := strings.Join(lines(m)[1:], "\n"); !strings.Contains(got, "row 06") || strings.Contains(got, "row 05") || !strings.Contains(got, "No  8") {
		t.Errorf("the last rows are not in view, with both of their lines:\n%s", got)
	}
	press(m, "home")
	m.SetSource(numbered(9).with("k01", "row 01", "77"))
	if got := lines(m)[4]; !strings.Contains(got, "No 77") {
		t.Errorf("a figure on the second line is outdated: %q", got)
	}
}

// TestSecondLineIsSortedBy checks that a table can be sorted by columns on second lines, and that their
// titles show this.
func TestSecondLineIsSortedBy(t *testing.T) {
	t.Parallel()
	m := tallTable(3, 7, WithStyles(Styles{HeaderSorted: "\x1b[4m"}))
	m.View()
	m.SortBy("n", true)
	if got := lines(m); !strings.Contains(got[1], "row 02") {
		t.Errorf("not sorted:\n%s", strings.Join(got, "\n"))
	}
	if got := strings.Split(m.View(), "\n")[2]; !strings.Contains(got, "\x1b[4mNo") {
		t.Errorf("the sort is not shown: %q", got)
	}
}
