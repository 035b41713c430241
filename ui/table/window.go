package table

import (
	"slices"
	"time"
)

// window is the visible part of the rows, and the selection.
type window struct {
	ordering
	cursorOn bool // rows can be selected
	sel      selection
	offset   int      // position of the first visible row
	kept     int      // number of leading rows that stay in view while the others scroll
	body     int      // number of rows that fit
	inView   []string // keys of the rows in view before a change
	moved    bool     // the visible rows or the selection have changed since the last drawing
}

// selection is the selected row. A chosen row is found again by its key, which is kept
// while an empty table lacks it, so that a resync does not move the selection. Until a
// row is chosen, the first row is selected.
type selection struct {
	key    string
	chosen bool
	at     int // position in rows, current or last known
	lost   string

	previousFirst string    // the row that was first before the current first row
	firstChanged  time.Time // when the first row changed
}

// ReactionTime is how long a viewer needs to notice that another row has become the first.
// A key pressed sooner applies to the row that was first before.
const ReactionTime = 700 * time.Millisecond

// Selected returns the key of the selected row; ok is false if there is none.
func (m *Model) Selected() (key string, ok bool) {
	if !m.cursorOn || len(m.rows) == 0 {
		return "", false
	}
	return m.sel.key, true
}

// Chosen returns the key of the selected row; ok is false if it is selected only
// because it is the first.
func (w *window) Chosen() (key string, ok bool) {
	if !w.sel.chosen || !w.cursorOn || len(w.rows) == 0 {
		return "", false
	}
	return w.sel.key, true
}

// ChooseSeen chooses the row that the viewer saw as selected at a time.
func (w *window) ChooseSeen(now time.Time) {
	if w.sel.chosen || !w.cursorOn || len(w.rows) == 0 {
		return
	}
	if now.Sub(w.sel.firstChanged) < ReactionTime {
		w.selectAt(w.find(w.sel.previousFirst))
	}
	w.sel.chosen = true
}

// noteNewFirst records that another row has become the first.
func (w *window) noteNewFirst(was string, now time.Time) {
	if !w.sel.chosen && was != "" && was != w.sel.key && now.Sub(w.sel.firstChanged) >= ReactionTime {
		w.sel.previousFirst, w.sel.firstChanged = was, now
	}
}

// ClearChoice ends the choice: the selection stays on the first row, even if that changes.
func (w *window) ClearChoice() {
	w.sel.chosen = false
	if w.cursorOn {
		w.selectAt(0)
	}
}

// Select chooses a row and reports whether it exists. While the table is empty the key
// is kept until rows arrive.
func (m *Model) Select(key string) bool {
	if !m.cursorOn {
		return false
	}
	if len(m.rows) == 0 {
		m.sel.key, m.sel.chosen = key, true
		return false
	}
	at := m.find(key)
	if at < 0 {
		return false
	}
	m.sel.chosen = true
	m.selectAt(at)
	return true
}

// TakeVanished returns the key of a selected row that has vanished since the last call, so
// that the page can report it. The nearest row is selected instead.
func (m *Model) TakeVanished() (key string, ok bool) {
	key, m.sel.lost = m.sel.lost, ""
	return key, key != ""
}

// SelectedIsStray reports whether the selected row no longer matches the filter and is listed
// only because it is selected.
func (m *Model) SelectedIsStray() bool { return m.stray != none }

// Position returns the position of the selected row, or of the first visible one in a
// table without selection, counted from 1, the number of matching rows and the number
// of all rows. A stray row has a position, but is not counted.
func (m *Model) Position() (at, matching, total int) {
	switch {
	case len(m.rows) == 0:
	case m.cursorOn:
		at = m.sel.at + 1
	default:
		at = m.offset + 1
	}
	matching = len(m.rows)
	if m.SelectedIsStray() {
		matching--
	}
	return at, matching, len(m.known.keys)
}

// Order returns the source indices of the listed rows, in their order. The slice is
// valid until the table changes.
func (m *Model) Order() []int32 { return m.rows }

// ScrollTo makes a row of a table without selection the first visible one, if enough
// rows follow it; rows are counted from 0.
func (m *Model) ScrollTo(at int) {
	if m.cursorOn || at == m.offset {
		return
	}
	before := m.offset
	m.offset = at
	m.clampView()
	m.dirty = m.dirty || m.offset != before
}

// KeepFirst keeps the first n rows of a table without selection in view while the others
// scroll; n is limited to half of the lines.
func (s *sheet) KeepFirst(n int) {
	if n = max(min(n, s.body/2), 0); !s.cursorOn && n != s.kept {
		s.kept, s.dirty = n, true
	}
}

// Kept returns the number of rows that do not scroll.
func (w *window) Kept() int { return w.kept }

// rowAt returns the position of the row on a line of the view, and whether that is the
// row's second line. Rows that do not fit with all their lines are not in view.
func (s *sheet) rowAt(y int) (at int, second bool) {
	n := s.rowLines()
	switch at = y / n; {
	case at >= s.body:
		return len(s.rows), false
	case at >= s.kept:
		at += s.offset
	}
	return at, y%n > 0
}

// Reveal scrolls a table without selection until a row is in view, and reports whether
// the row exists.
func (m *Model) Reveal(key string) bool {
	at := m.find(key)
	if m.cursorOn || at < 0 {
		return false
	}
	h := m.body - m.kept
	if h > 0 && at >= m.kept && (at < m.offset+m.kept || at >= m.offset+m.body) {
		m.ScrollTo((at - m.kept) / h * h)
	}
	return true
}

// find returns the position of the row with the key, or -1.
func (w *window) find(key string) int {
	for at, i := range w.rows {
		if w.known.keys[i] == key {
			return at
		}
	}
	return -1
}

func (w *window) selectAt(at int) {
	at = min(max(at, 0), len(w.rows)-1)
	if at < 0 {
		return
	}
	w.sel.at, w.sel.key = at, w.known.keys[w.rows[at]]
	w.dropStray()
	w.moved = true
	w.clampView()
}

// dropStray removes a stray row that is no longer selected. The other rows keep their
// lines.
func (w *window) dropStray() {
	at := w.stray
	if at == none || at == w.sel.at {
		return
	}
	w.rows, w.held, w.stray = slices.Delete(w.rows, at, at+1), "", none
	if at < w.sel.at {
		w.sel.at--
	}
	if at < w.offset {
		w.offset--
	}
}

// recordView records which rows are in view before a change.
func (w *window) recordView() {
	w.inView = w.inView[:0]
	if w.offset == 0 {
		return
	}
	for _, i := range w.rows[w.offset:min(w.offset+w.body, len(w.rows))] {
		w.inView = append(w.inView, w.known.keys[i])
	}
}

// restoreView restores selection and view after the rows have changed. A view at the very
// top stays there, so that new first rows are visible; any other keeps its rows on
// their lines. The reference is the topmost row that has moved by at most a page.
func (w *window) restoreView() {
	w.moved = true
	for line, key := range w.inView {
		at, h := w.find(key), w.body
		if was := w.offset + line; at >= 0 && at-was <= h && was-at <= h {
			w.offset = at - line
			break
		}
	}
	if w.cursorOn && len(w.rows) > 0 {
		w.findSelection()
	}
	w.clampView()
}

func (w *window) findSelection() {
	if !w.sel.chosen {
		w.selectAt(0)
		return
	}
	if at := w.sel.at; at < len(w.rows) && w.known.keys[w.rows[at]] == w.sel.key {
		return
	}
	if at := w.find(w.sel.key); at >= 0 {
		w.sel.at = at
		return
	}
	w.sel.lost = w.sel.key
	w.selectAt(w.sel.at)
}

// clampView keeps the view within the rows and the selected row within the view.
func (w *window) clampView() {
	h := w.body
	if w.cursorOn && len(w.rows) > 0 && h > 0 {
		w.offset = min(max(w.offset, w.sel.at-h+1), w.sel.at)
	}
	w.offset = max(min(w.offset, len(w.rows)-h), 0)
}

// move moves the selection, or the view if there is no selection. Moving back to the
// first row ends the choice of a row.
func (w *window) move(by int) {
	if w.cursorOn {
		w.selectAt(w.sel.at + by)
		w.sel.chosen = w.sel.at > 0
		return
	}
	w.scroll(by)
}

// scroll moves the view. If the selected row would leave it, the row at the edge is
// selected.
func (w *window) scroll(by int) {
	h := w.body
	w.offset = max(min(w.offset+by, len(w.rows)-h), 0)
	w.moved = true
	if w.cursorOn && h > 0 {
		w.selectAt(min(max(w.sel.at, w.offset), w.offset+h-1))
		w.sel.chosen = w.sel.at > 0
	}
}

// sortBy sorts by a column and scrolls to the first row.
func (w *window) sortBy(col int, desc bool) {
	if col == w.sortCol && desc == w.sortDesc {
		return
	}
	w.sortCol, w.sortDesc = col, desc
	for i := range w.changed {
		w.changed[i] = true
	}
	w.arrange()
	// The viewer wants to see the beginning of the new order; the selection is found
	// again by key.
	w.offset, w.inView = 0, w.inView[:0]
	w.restoreView()
}
