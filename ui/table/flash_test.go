package table

import (
	"strings"
	"testing"
	"time"
)

const flashStyle = "\x1b[43m"

// flashed returns the texts that flash, in order.
func flashed(m *Model) string {
	var out []string
	for _, part := range strings.Split(m.View(), flashStyle)[1:] {
		text, _, _ := strings.Cut(part, "\x1b")
		out = append(out, text)
	}
	return strings.Join(out, ",")
}

func TestFlash(t *testing.T) {
	t.Parallel()
	start := time.Unix(1000, 0)
	at := func(m *Model, ms int) { m.SetTime(start.Add(time.Duration(ms) * time.Millisecond)) }
	l := numbered(30)
	m := newTable(l, 40, 6, WithStyles(Styles{Flash: flashStyle, Selected: "\x1b[7m"}))
	want := func(text string) {
		t.Helper()
		if got := flashed(m); got != text {
			t.Errorf("marked: %q, want %q", got, text)
		}
		if m.Flashing() != (text != "") {
			t.Errorf("Flashing() = %v", m.Flashing())
		}
	}
	at(m, 0)
	want("") // the first appearance does not flash

	at(m, 100)
	l = l.with("k01", "row 01", "77")
	m.SetSource(l)
	want("77")

	// A record that changes without its text does not flash.
	at(m, 400)
	l = l.with("k00", "row 00", "0").with("k02", "row xx", "2")
	m.SetSource(l)
	want("77,row xx")

	at(m, 799)
	want("77,row xx")
	at(m, 800)
	want("row xx")
	at(m, 1100)
	want("")

	// Changes out of view do not flash when they are scrolled into view.
	l = l.with("k29", "row 29", "x")
	m.SetSource(l)
	press(m, "end", "up")
	want("")
	at(m, 1200)
	m.SetSource(l.with("k29", "row 29", "y"))
	want("y")
	press(m, "down") // the selected row does not flash
	if got := flashed(m); got != "" {
		t.Errorf("marked on the selection: %q", got)
	}
	press(m, "up")
	want("y")

	m.flashDuration = 0
	m.Invalidate()
	want("")
	m.SetSource(l.with("k29", "row 29", "z").with("k29", "row 29", "zz"))
	want("")
}

func TestFlashSparesDurations(t *testing.T) {
	t.Parallel()
	l := numbered(3)
	m := New(WithStyles(Styles{Flash: flashStyle}),
		WithColumns(Column{ID: "name", Min: 8}, Column{ID: "age", Min: 4, NoFlash: true}))
	m.SetSize(30, 5)
	m.SetSource(l)
	m.View()
	m.SetSource(l.with("k00", "row 00", "1"))
	if got := flashed(m); got != "" {
		t.Errorf("marked: %q", got)
	}
}

// TestFlashIgnoresResize checks that a resize, which moves all cells, makes none of them flash.
func TestFlashIgnoresResize(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(9), 40, 5, WithStyles(Styles{Flash: flashStyle}))
	m.View()
	m.SetSize(20, 8)
	if got := flashed(m); got != "" {
		t.Errorf("marked: %q", got)
	}
}

// TestScrollBarOfASCIIStandsApart checks that there is a blank before the scroll bar with ASCII, where
// the scroll bar looks like text.
func TestScrollBarOfASCIIStandsApart(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(30), 40, 6, WithGlyphs(ASCIIGlyphs()), WithScrollbar())
	for i, l := range lines(m) {
		if end := l[len(l)-2:]; i > 0 && end != " #" && end != " |" {
			t.Errorf("%q ends in %q", l, end)
		}
		if len(l) != 40 {
			t.Errorf("%q has %d cells", l, len(l))
		}
	}
}
