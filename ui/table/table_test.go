package table

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
)

// press sends keys by the names they have in a key map.
func press(m *Model, keys ...string) {
	codes := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"home": tea.KeyHome, "end": tea.KeyEnd, "left": tea.KeyLeft, "right": tea.KeyRight,
		"enter": tea.KeyEnter,
	}
	for _, k := range keys {
		key := tea.KeyPressMsg{Text: k}
		if code, ok := codes[k]; ok {
			key = tea.KeyPressMsg{Code: code}
		}
		m.Update(key)
	}
}

func lines(m *Model) []string { return strings.Split(ansi.Strip(m.View()), "\n") }

// firstColumn returns the names of the visible rows.
func firstColumn(m *Model) []string {
	var out []string
	for _, l := range lines(m)[1:] {
		if f := strings.Fields(strings.Trim(l, "▌┃│ ")); len(f) > 1 {
			out = append(out, f[1])
		}
	}
	return out
}

func wantSelected(t *testing.T, m *Model, want string) {
	t.Helper()
	got, ok := m.Selected()
	if got != want || ok != (want != "") {
		t.Errorf("selected %q (%v), want %q", got, ok, want)
	}
	if at := m.positionOf(got); ok && (at < m.offset || at >= m.offset+m.visibleRows) {
		t.Errorf("the selected row is at %d, outside the view from %d on", at, m.offset)
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	styles := Styles{
		Header: "\x1b[1m", HeaderSorted: "\x1b[1;4m", Selected: "\x1b[7m", Cursor: "\x1b[36m",
		Flash: "\x1b[43m", EmptyTableText: "\x1b[2m", ScrollThumb: "\x1b[37m", ScrollTrack: "\x1b[90m",
	}
	l := numbered(12)
	l[1].cells[0], l[1].style = "José Peña de la Vega", "\x1b[32m"
	l[2].cells[0] = "日本語の名前が長い"
	l[3].cells[0] = "two\nlines\x1b[2J"
	tests := map[string]func() *Model{
		"plain": func() *Model { return newTable(l, 24, 8) },
		"styled": func() *Model {
			m := newTable(marked{l}, 30, 8, WithStyles(styles), WithScrollbar())
			m.SortBy("n", false)
			m.Select("k01")
			return m
		},
		"ascii": func() *Model {
			m := newTable(l, 16, 6, WithGlyphs(ASCIIGlyphs()), WithScrollbar())
			m.SortBy("name", true)
			m.Select("k00")
			return m
		},
		"empty": func() *Model {
			return newTable(list{}, 40, 8, withEmptyText("no agent is logged in"), WithStyles(styles))
		},
		"watch only": func() *Model { return newTable(l, 20, 5, WithoutSelection()) },
		"narrow":     func() *Model { return newTable(l, 5, 4) },
		"two lines": func() *Model {
			m := newTable(marked{l}, 19, 8, WithStyles(styles), WithScrollbar())
			m.SetColumns(Column{ID: "name", Title: "Name", Min: 12, Priority: 9}, Column{ID: "n", Title: "N", Min: 4, Align: Right})
			m.SetTwoLines(true)
			m.Select("k01")
			return m
		},
	}
	for name, table := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.RequireEqual(t, table().View())
		})
	}
}

func TestSelectionStaysOnItsKey(t *testing.T) {
	t.Parallel()
	l := numbered(50)
	m := newTable(l, 40, 11)
	m.SortBy("n", false)
	wantSelected(t, m, "k00")
	press(m, "down", "down", "j")
	wantSelected(t, m, "k03")

	m.SetSource(l.with("k03", "row 03", "4000"))
	wantSelected(t, m, "k03")
	if at, _, _ := m.Position(); at != 50 {
		t.Errorf("the selected row is row %d, want it to have moved to 50", at)
	}
	m.SortBy("name", true)
	wantSelected(t, m, "k03")
	m.SetFilter("3")
	wantSelected(t, m, "k03")
	if _, matching, total := m.Position(); matching != 14 || total != 50 {
		t.Errorf("%d of %d rows match, want 14 of 50", matching, total)
	}
	m.SetFilter("")
	m.SetSource(append(list{{key: "new", cells: []string{"a", "0"}}}, l...))
	wantSelected(t, m, "k03")
}

// TestUntouchedSelectionIsTheFirstRow checks that until the viewer selects a row, the first row is
// selected.
func TestUntouchedSelectionIsTheFirstRow(t *testing.T) {
	t.Parallel()
	l := numbered(50)
	m := newTable(l, 40, 11)
	m.SortBy("n", true)
	wantSelected(t, m, "k49")
	top := func(rows list, selected string) {
		t.Helper()
		m.SetSource(rows)
		wantSelected(t, m, selected)
		if got := firstColumn(m)[0]; got != selected[1:] {
			t.Errorf("the view begins with row %s, want %s", got, selected[1:])
		}
	}
	l = l.with("k07", "row 07", "4000")
	top(l, "k07")
	top(l.with("k08", "row 08", "5000"), "k08")
	m.SetFilter("row 0")
	top(l, "k07")
	top(l.with("k07", "gone", "4000"), "k09") // the row that no longer matches the filter was not chosen
	m.SetFilter("")

	m.ChooseVisibleRow(time.Now()) // the viewer has asked about this row
	m.SetSource(l.with("k07", "row 07", "0"))
	wantSelected(t, m, "k07")
	press(m, "home") // back to the first row, which ends the choice
	top(l, "k07")
	top(l.with("k08", "row 08", "5000"), "k08")
	m.Select("k03")
	m.ClearChoice()
	wantSelected(t, m, "k08")
}

// TestKeyActsOnWhatWasSeen checks that a key that is pressed just after another row has become the first
// one applies to the previous first row.
func TestKeyActsOnWhatWasSeen(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]string{ReactionTime - 1: "k49", ReactionTime: "k08"} {
		l := numbered(50)
		m := newTable(l, 40, 11)
		m.SortBy("n", true)
		m.SetTime(began)
		for i, first := range []string{"k07", "k08"} { // the second change comes so soon after the first that a viewer cannot have noticed it
			l = l.with(first, "another", strconv.Itoa(4000+i))
			m.SetTime(began.Add(time.Duration(i) * ReactionTime / 2))
			m.SetSource(l)
		}
		m.ChooseVisibleRow(began.Add(after))
		wantSelected(t, m, want)
	}
}

func TestLostSelection(t *testing.T) {
	t.Parallel()
	l := numbered(10)
	m := newTable(l, 40, 20)
	m.Select("k04")

	m.SetSource(l.without("k04"))
	wantSelected(t, m, "k05")
	m.SetFilter("row 09")
	wantSelected(t, m, "k09")

	// A short time without rows, as during a resync, does not move the selection.
	m.SetSource(list{})
	wantSelected(t, m, "")
	m.SetSource(l)
	wantSelected(t, m, "k09")
}

func TestSelectBeforeRowsCome(t *testing.T) {
	t.Parallel()
	m := newTable(list{}, 40, 5)
	if m.Select("k07") {
		t.Error("a row was selected in an empty table")
	}
	m.SetSource(numbered(10))
	wantSelected(t, m, "k07")
	if m.Select("no such row") {
		t.Error("a row that is not there was selected")
	}
	wantSelected(t, m, "k07")
}

func TestViewDoesNotJump(t *testing.T) {
	t.Parallel()
	l := numbered(100)
	m := newTable(l, 40, 11)
	m.SortBy("n", false)
	press(m, "pgdown", "pgdown", "pgdown", "up", "up")
	wantSelected(t, m, "k25")
	before := firstColumn(m)

	// Rows that appear and disappear above the view do not move it.
	m.SetSource(l.without("k02").without("k05"))
	if diff := cmp.Diff(before, firstColumn(m)); diff != "" {
		t.Errorf("view moved when rows above it went (-before +after):\n%s", diff)
	}
	// If the first row of the view moves far away, the others keep their lines.
	m.SetSource(l.with("k18", "row 18", "4000"))
	want := append([]string{"17"}, before[1:]...)
	if diff := cmp.Diff(want, firstColumn(m)); diff != "" {
		t.Errorf("view followed a single row (-want +got):\n%s", diff)
	}
	// A view at the top stays at the top, so that new first rows are visible.
	press(m, "home")
	m.SetSource(append(list{{key: "a", cells: []string{"row !!", "-"}}}, l...))
	if got := firstColumn(m)[0]; got != "!!" {
		t.Errorf("first row is %q, want the one that has come", got)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(30), 40, 11)
	for _, step := range []struct{ keys, want string }{
		{"down", "k01"},
		{"j", "k02"},
		{"k", "k01"},
		{"up", "k00"},
		{"up", "k00"},
		{"pgdown", "k09"},
		{"pgup", "k00"},
		{"G", "k29"},
		{"down", "k29"},
		{"g", "k00"},
		{"end", "k29"},
		{"home", "k00"},
		{"x", "k00"},
	} {
		press(m, step.keys)
		t.Log(step.keys)
		wantSelected(t, m, step.want)
	}
	m.Blur()
	press(m, "down")
	wantSelected(t, m, "k00")
	m.Focus()
	press(m, ">", "down")
	if id, desc := m.Sort(); id != "name" || desc {
		t.Errorf("sorted by %q, %v", id, desc)
	}
	press(m, ">")
	if id, desc := m.Sort(); id != "n" || !desc {
		t.Errorf("sorted by %q, %v; want n in its first direction", id, desc)
	}
	press(m, "~", "<")
	if id, _ := m.Sort(); id != "name" {
		t.Errorf("sorted by %q, want name", id)
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(30), 40, 11)
	m.SetOrigin(5, 3)
	click := func(x, y int) { m.Update(tea.MouseClickMsg{X: x + 5, Y: y + 3, Button: tea.MouseLeft}) }
	click(4, 3)
	wantSelected(t, m, "k02")
	click(39, 0)
	if id, desc := m.Sort(); id != "n" || !desc {
		t.Errorf("sorted by %q, %v; want n descending", id, desc)
	}
	click(39, 0)
	if _, desc := m.Sort(); desc {
		t.Error("a second click on the title did not reverse the order")
	}
	m.Update(tea.MouseWheelMsg{X: 10, Y: 10, Button: tea.MouseWheelDown})
	wantSelected(t, m, "k03")
	m.Update(tea.MouseWheelMsg{X: 1, Y: 1, Button: tea.MouseWheelDown})
	wantSelected(t, m, "k03")
	if got := m.HitTest(0, 11); got != (Hit{}) {
		t.Errorf("below the table is %v", got)
	}
	if got := m.HitTest(4, 1); got != (Hit{Area: HitRow, Key: "k03", Column: "name"}) {
		t.Errorf("on the first row is %v", got)
	}
}

func TestWatchOnlyScrolls(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(30), 40, 11, WithoutSelection())
	press(m, "pgdown")
	if got := firstColumn(m)[0]; got != "09" {
		t.Errorf("first row is %s, want 09", got)
	}
	if at, _, _ := m.Position(); at != 10 {
		t.Errorf("position %d, want 10", at)
	}
	wantSelected(t, m, "")
}

func TestSetColumnsKeepsSort(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(12), 40, 6)
	m.SortBy("n", true)
	m.Select("k00")
	before := firstColumn(m)
	wide := append(twoColumns(), Column{ID: "more", Min: 3})
	m.SetColumns(wide...)
	if id, desc := m.Sort(); id != "n" || !desc {
		t.Errorf("sorted by %q, %v; want n descending", id, desc)
	}
	if diff := cmp.Diff(before, firstColumn(m)); diff != "" {
		t.Errorf("rows moved (-before +after):\n%s", diff)
	}
	wantSelected(t, m, "k00")
	m.SetColumns(wide[0])
	if id, _ := m.Sort(); id != "" {
		t.Errorf("sorted by %q, which is gone", id)
	}
	m.SortBy("no such column", true)
	m.SetSize(40, 20)
	if got := lines(m)[1]; !strings.Contains(got, "row 00") {
		t.Errorf("first line %q, want the order of the source", got)
	}
}

// TestLooksChangeAtOnce checks that a change of the look is visible at once, although no row has changed.
func TestLooksChangeAtOnce(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(9), 12, 4, WithScrollbar(), WithKeyMap(KeyMap{}))
	want := func(what, text string) {
		t.Helper()
		if got := m.View(); !strings.Contains(got, text) {
			t.Errorf("after %s there is no %q in\n%q", what, text, got)
		}
	}
	want("a start", "▌row 00")
	m.SetStyles(Styles{Selected: "\x1b[7m", SelectedBlurred: "\x1b[4m"})
	want("a change of styles", "\x1b[7m▌row 00")
	m.Blur()
	want("the loss of focus", "\x1b[4m row 00")
	m.glyphs = ASCIIGlyphs()
	m.Invalidate()
	m.Focus()
	want("a change of glyphs", ">row 00")
	m.SetFilter("none")
	m.SetEmptyText("no match")
	want("a filter that matches nothing", "no match")
	m.Blur()
	press(m, "down")
	if m.Focused() || m.Filter() != "none" {
		t.Error("the table lost a setting")
	}
}

func TestKeysDoNotClash(t *testing.T) {
	t.Parallel()
	keys := reflect.ValueOf(DefaultKeyMap())
	seen := map[string]string{}
	for i := range keys.NumField() {
		b, ok := keys.Field(i).Interface().(key.Binding)
		if !ok || len(b.Keys()) == 0 {
			t.Errorf("%s has no key", keys.Type().Field(i).Name)
		}
		for _, k := range b.Keys() {
			if seen[k] != "" {
				t.Errorf("%s is that of %s and %s", k, seen[k], keys.Type().Field(i).Name)
			}
			seen[k] = keys.Type().Field(i).Name
		}
	}
}

// TestUnchangedViewIsNotBuiltAgain checks that an unchanged view is not built again. It is not parallel,
// because it counts allocations.
func TestUnchangedViewIsNotBuiltAgain(t *testing.T) {
	l := numbered(100)
	m := newTable(l, 80, 20)
	m.SetTime(time.Unix(0, 0))
	m.View()
	if n := testing.AllocsPerRun(100, func() {
		m.SetTime(time.Unix(1, 0))
		m.SetSource(Source(&l))
		m.View()
	}); n != 0 {
		t.Errorf("%v allocations for a frame in which nothing has changed", n)
	}
}

func withEmptyText(s string) Option { return func(m *Model) { m.SetEmptyText(s) } }

// TestKeptRowsStayInView checks that every other row can be scrolled into view below the kept rows.
func TestKeptRowsStayInView(t *testing.T) {
	t.Parallel()
	m := newTable(numbered(30), 40, 11, WithoutSelection()) // ten rows are visible
	m.FreezeTopRows(3)
	for at, want := range map[int][2]string{0: {"03", "09"}, 7: {"10", "16"}, 20: {"23", "29"}, 99: {"23", "29"}} {
		m.ScrollTo(at)
		got := firstColumn(m)
		if got[0] != "00" || got[2] != "02" || got[3] != want[0] || got[9] != want[1] {
			t.Errorf("scrolled to %d: %v", at, got)
		}
		if hit := m.HitTest(0, 1); hit.Key != m.remembered.keys[m.rows[0]] {
			t.Errorf("the first line is %q", hit.Key)
		}
	}
	for _, key := range m.remembered.keys {
		if !m.Reveal(key) || !slices.ContainsFunc(firstColumn(m), func(s string) bool { return strings.Contains(key, s) }) {
			t.Errorf("%s is not in view: %v", key, firstColumn(m))
		}
	}
	if m.FreezeTopRows(30); m.FrozenRows() != 5 {
		t.Errorf("%d of ten lines are kept", m.FrozenRows())
	}
}

// WithStyles sets the styles.
func WithStyles(s Styles) Option { return func(m *Model) { m.styles = s } }

// TestTintOfTheSelectedRow checks that a selected row keeps its tint, but not its cursor, while another
// pane has the keyboard focus.
func TestTintOfTheSelectedRow(t *testing.T) {
	t.Parallel()
	const selected, blurred, tint = "\x1b[7m", "\x1b[4m", "\x1b[48;5;52m"
	m := newTable(marked{numbered(4)}, 16, 5)
	m.SetStyles(Styles{Selected: selected, SelectedBlurred: blurred})
	row := func() string { return strings.Split(m.View(), "\n")[1] }
	if got := row(); !strings.Contains(got, selected) {
		t.Errorf("with the keyboard %q", got)
	}
	m.Blur()
	if got := row(); !strings.Contains(got, tint) || strings.Contains(got, blurred) || strings.Contains(got, "▌") {
		t.Errorf("without the keyboard %q", got)
	}
	press(m, "down") // ignored without the keyboard focus
	m.Focus()
	press(m, "down")
	m.Blur()
	if got := strings.Split(m.View(), "\n")[2]; !strings.Contains(got, blurred) {
		t.Errorf("a row without a tint %q", got)
	}
}
