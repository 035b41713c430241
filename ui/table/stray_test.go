package table

import (
	"strings"
	"testing"
	"time"
)

// TestSelectedRowStaysWhenItLeavesTheFilter checks that a row stays under the cursor if an action changes
// it so that it no longer matches the filter. Otherwise the next key would apply to another row.
func TestSelectedRowStaysWhenItLeavesTheFilter(t *testing.T) {
	t.Parallel()
	l := numbered(4)
	for i := range l {
		l[i].cells[1] = "ready"
	}
	m := newTable(l, 40, 6, WithStyles(Styles{Selected: "\x1b[7m", Unmatched: "\x1b[2m"}))
	m.SetFilter("ready")
	press(m, "down")
	want := func(selected, rows string, stray bool) {
		t.Helper()
		wantSelected(t, m, selected)
		if got := strings.Join(firstColumn(m), " "); got != rows || m.SelectedIsUnmatched() != stray {
			t.Errorf("rows %q, stray %v; want %q, %v", got, m.SelectedIsUnmatched(), rows, stray)
		}
	}
	want("k01", "00 01 02 03", false)

	l = l.with("k01", "row 01", "busy")
	m.SetSource(l)
	want("k01", "00 01 02 03", true)
	if !strings.Contains(m.View(), "\x1b[7m\x1b[2m") {
		t.Errorf("the row is not marked as stray:\n%q", m.View())
	}
	if _, matching, all := m.Position(); matching != 3 || all != 4 {
		t.Errorf("%d of %d match, want 3 of 4", matching, all)
	}

	m.SetSource(l.with("k02", "row 02", "busy")) // other rows disappear at once
	want("k01", "00 01 03", true)
	press(m, "down")
	want("k03", "00 03", false)

	m.SetSource(l.with("k03", "row 03", "busy"))
	m.SetSource(l) // the row matches again
	want("k03", "00 02 03", false)

	m.SetSource(l.with("k03", "row 03", "busy"))
	m.SetFilter("row") // a new filter shows only matching rows
	m.SetFilter("ready")
	want("k02", "00 02", false)
}

func TestSelectedRowIsLostOnlyWithItsRecord(t *testing.T) {
	t.Parallel()
	l := numbered(3)
	m := newTable(l, 40, 6)
	m.SetFilter("row 01")
	m.ChooseVisibleRow(time.Now())
	l = l.with("k01", "gone", "1")
	m.SetSource(l)
	wantSelected(t, m, "k01")
	m.SetSource(l.without("k01"))
	wantSelected(t, m, "")
}
