package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"wallboard/internal/lib/terminal"
)

// hostile generates texts that may break tables.
func hostile() *rapid.Generator[string] {
	nasty := rapid.SampledFrom([]string{
		"", " ", "a", "word", "12345", "é", "日本", "👨‍👩‍👧", "❤️", "🇩🇪", "🇩", "नि", "นำ", "각", "ａ",
		"\x1b[2J", "\x1b[31m", "\x1b]0;x\a", "\x1b", "\x9b", "\n", "\r", "\t", "\x00", "\x7f", "\u0085", "\xff", "\xe2\x82",
		"\u0301", "\u200d", "\ufe0f", "\u200b", "\u202e", "\u2067", "\u2028", "\u00ad", "\u0600", "\U000e0001", "…", "©️", "▶️", "⣿", "\ufffd",
	})
	return rapid.OneOf(
		rapid.Map(rapid.SliceOfN(nasty, 0, 6), func(s []string) string { return strings.Join(s, "") }),
		rapid.String(),
	)
}

// hostileSource has rows with any texts, including styles and raw cells.
type hostileSource struct{ list }

func (s hostileSource) Cell(i, col int, dst *Cell) {
	s.list.Cell(i, col, dst)
	dst.HasEscapes = (i+col)%3 == 0
	dst.Align = AlignMode((i + 2*col) % 4)
	if col == 1 {
		dst.Style = "\x1b[4m"
	}
}

func (s hostileSource) Row(i int, dst *Row) { dst.Marker = s.list[i].text(0) }

func drawSource(t *rapid.T) Source {
	keys := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 0, 20, rapid.ID[int]).Draw(t, "keys")
	l := make(list, len(keys))
	for i, k := range keys {
		l[i] = rec{
			key:     fmt.Sprint("k", k),
			version: rapid.Uint64Range(0, 3).Draw(t, "version"),
			cells:   rapid.SliceOfN(hostile(), 0, 4).Draw(t, "cells"),
		}
	}
	if rapid.Bool().Draw(t, "plain") {
		return l
	}
	return hostileSource{l}
}

func drawColumns(t *rapid.T) []Column {
	n := rapid.IntRange(0, 6).Draw(t, "columns")
	width := rapid.IntRange(-2, 40)
	cols := make([]Column, n)
	for i := range cols {
		cols[i] = Column{
			ID:       fmt.Sprint("c", i),
			Title:    hostile().Draw(t, "title"),
			Min:      width.Draw(t, "min"),
			Ideal:    width.Draw(t, "ideal"),
			Max:      width.Draw(t, "max"),
			Weight:   rapid.IntRange(-1, 3).Draw(t, "weight"),
			Priority: rapid.IntRange(-2, 2).Draw(t, "priority"),
			Align:    AlignMode(rapid.IntRange(0, 3).Draw(t, "align")),
			NoSort:   rapid.Bool().Draw(t, "no sort"),
		}
	}
	return cols
}

func drawTable(t *rapid.T) *Model {
	opts := []Option{WithColumns(drawColumns(t)...), withEmptyText(hostile().Draw(t, "empty"))}
	for _, o := range []Option{WithScrollbar(), WithoutSelection(), WithGlyphs(ASCIIGlyphs())} {
		if rapid.Bool().Draw(t, "option") {
			opts = append(opts, o)
		}
	}
	styled := Styles{
		Base: "\x1b[48;5;1m", Header: "\x1b[1m", HeaderSorted: "\x1b[4m", Selected: "\x1b[7m",
		SelectedBlurred: "\x1b[2m", Cursor: "\x1b[31m", Flash: "\x1b[43m", EmptyTableText: "\x1b[2m",
		ScrollThumb: "\x1b[1m", ScrollTrack: "\x1b[2m", Label: "\x1b[2m", SecondLine: "\x1b[3m",
	}
	if rapid.Bool().Draw(t, "styled") {
		opts = append(opts, WithStyles(styled))
	}
	m := New(opts...)
	if rapid.Bool().Draw(t, "grapheme") {
		m.SetWidthMethod(ansi.GraphemeWidth)
	}
	return m
}

// act does one thing to the table that a user, a page or the feed could do.
func act(t *rapid.T, m *Model, now *time.Time) {
	switch rapid.IntRange(0, 9).Draw(t, "action") {
	case 0:
		m.SetSize(rapid.IntRange(-1, 500).Draw(t, "width"), rapid.IntRange(-1, 200).Draw(t, "height"))
	case 1, 2:
		m.SetSource(drawSource(t))
	case 3:
		m.SetFilter(rapid.SampledFrom([]string{"", "a", "日", "none"}).Draw(t, "filter"))
	case 4:
		m.SortBy(rapid.SampledFrom([]string{"c0", "c1", "c3", ""}).Draw(t, "sort"), rapid.Bool().Draw(t, "desc"))
	case 5, 6:
		press(m, rapid.SampledFrom([]string{
			"up", "down", "pgup", "pgdown", "home", "end", "left", "right", "<", ">", "~", "enter", "?",
		}).Draw(t, "key"))
	case 7:
		mouse := tea.Mouse{X: rapid.IntRange(-1, 60).Draw(t, "x"), Y: rapid.IntRange(-1, 30).Draw(t, "y")}
		mouse.Button = tea.MouseLeft
		m.Update(tea.MouseClickMsg(mouse))
		mouse.Button = rapid.SampledFrom([]tea.MouseButton{
			tea.MouseWheelUp, tea.MouseWheelDown, tea.MouseWheelLeft, tea.MouseWheelRight,
		}).Draw(t, "wheel")
		m.Update(tea.MouseWheelMsg(mouse))
	case 8:
		m.SetTwoLines(rapid.Bool().Draw(t, "tall"))
	case 9:
		*now = now.Add(time.Duration(rapid.IntRange(0, 900).Draw(t, "ms")) * time.Millisecond)
		m.SetTime(*now)
	}
}

func TestViewIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, now := drawTable(t), time.Unix(0, 0)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			act(t, m, &now)
			checkView(t, m)
			checkSelection(t, m)
		}
	})
}

func checkView(t *rapid.T, m *Model) {
	view := m.View()
	if m.Height() == 0 {
		if view != "" {
			t.Fatalf("a table without lines shows %q", view)
		}
		return
	}
	got := strings.Split(view, "\n")
	if len(got) != m.Height() {
		t.Fatalf("%d lines, want %d:\n%q", len(got), m.Height(), view)
	}
	for y, l := range got {
		if w := m.method.StringWidth(l); w != m.Width() {
			t.Fatalf("line %d is %d wide, want %d: %q", y, w, m.Width(), l)
		}
		if !utf8.ValidString(l) || strings.ContainsAny(l, "\r\t\x00\a\u202e\u2067") {
			t.Fatalf("line %d contains forbidden characters: %q", y, l)
		}
		for _, seq := range strings.Split(l, "\x1b")[1:] {
			if n := terminal.SGRLen("\x1b" + seq); n == 0 {
				t.Fatalf("line %d contains the sequence %q", y, seq)
			}
		}
	}
}

func checkSelection(t *rapid.T, m *Model) {
	key, ok := m.Selected()
	if !ok {
		if m.selectable && len(m.rows) > 0 {
			t.Fatal("rows, but none is selected")
		}
		return
	}
	if at := m.positionOf(key); at != m.selection.index {
		t.Fatalf("%s is selected, which is at %d and not at %d", key, at, m.selection.index)
	}
	if h := m.visibleRows; h > 0 && (m.selection.index < m.offset || m.selection.index >= m.offset+h) {
		t.Fatalf("row %d is selected outside the view from %d, %d lines", m.selection.index, m.offset, h)
	}
}

// TestSelectionLeavesOnlyVanishedRows checks that a selection leaves its row only if the row disappears,
// and that the first row is selected until another one is chosen.
func TestSelectionLeavesOnlyVanishedRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := New(WithColumns(twoColumns()...))
		m.SetSize(40, rapid.IntRange(2, 12).Draw(t, "height"))
		m.SortBy(rapid.SampledFrom([]string{"name", "n", ""}).Draw(t, "sort"), rapid.Bool().Draw(t, "desc"))
		m.SetSource(drawSource(t))
		for range 10 {
			if rapid.Bool().Draw(t, "hold") {
				m.ChooseVisibleRow(m.now.Add(ReactionTime))
			}
			before, had := m.ChosenKey()
			m.SetSource(drawSource(t))
			after, has := m.Selected()
			if at, _, _ := m.Position(); !m.selection.chosen && has && (at != 1 || m.offset != 0) {
				t.Fatalf("no row was chosen, but row %d is selected, in a view from %d", at, m.offset)
			}
			if had && m.positionOf(before) >= 0 && after != before {
				t.Fatalf("selection went from %s to %s", before, after)
			}
		}
	})
}

// TestOrderIsThatOfAFullSort checks that the updated order equals that of a full sort.
func TestOrderIsThatOfAFullSort(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := New(WithColumns(twoColumns()...))
		m.SetSize(40, 10)
		sorted := rapid.SampledFrom([]string{"name", "n", ""}).Draw(t, "sort")
		desc := rapid.Bool().Draw(t, "desc")
		m.SortBy(sorted, desc)
		l := numbered(rapid.IntRange(0, 40).Draw(t, "rows"))
		for range 8 {
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				l = l.without(fmt.Sprintf("k%02d", rapid.IntRange(0, 40).Draw(t, "gone")))
			case 1:
				at := rapid.IntRange(0, len(l)).Draw(t, "at")
				key := fmt.Sprintf("new%d", rapid.Uint32().Draw(t, "new"))
				l = slices.Insert(slices.Clone(l), at, rec{key: key, cells: []string{"x", "3"}})
			default:
				for range rapid.IntRange(0, 30).Draw(t, "changed") {
					key := fmt.Sprintf("k%02d", rapid.IntRange(0, 40).Draw(t, "key"))
					l = l.with(key, "row", fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "value")))
				}
			}
			m.SetSource(l)
			fresh := New(WithColumns(twoColumns()...))
			fresh.SetSize(40, 10)
			fresh.SortBy(sorted, desc)
			fresh.SetSource(l)
			if !slices.Equal(m.rows, fresh.rows) {
				t.Fatalf("order %v, want %v", m.rows, fresh.rows)
			}
		}
	})
}

// TestDuplicateKeys checks that each row of a source with duplicate keys is shown once.
func TestDuplicateKeys(t *testing.T) {
	t.Parallel()
	l := append(numbered(3), numbered(3)...)
	m := newTable(l, 40, 10)
	for range 3 {
		l = append(slices.Clone(l), l[0])
		m.SetSource(l)
		rows := slices.Clone(m.rows)
		slices.Sort(rows)
		if len(slices.Compact(rows)) != len(l) {
			t.Fatalf("rows %v, want each of %d once", m.rows, len(l))
		}
	}
}
