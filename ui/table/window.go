package table

import (
	"slices"
	"time"
)

// window holds the visible part of the rows, and the selection.
type window struct {
	ordering
	selectable  bool // rows can be selected
	selection   selection
	offset      int      // position in rows of the first visible row
	frozenRows  int      // number of rows at the top that stay in view while the other rows scroll
	visibleRows int      // number of rows that fit into the table
	keysInView  []string // keys of the rows in view before a change; empty if the view was at the top
	moved       bool     // the visible rows or the selection have changed since the last drawing
}

// selection is the selected row. A chosen row stays selected by its key. An empty table also
// remembers the key of the chosen row, so that a resync does not move the selection. Until a row is
// chosen, the first row is selected.
type selection struct {
	key    string
	chosen bool
	index  int // position in rows: the current one or, if the row is missing, the last known one

	previousFirstKey string    // key of the row that was first before the current first row
	firstChangedAt   time.Time // when another row last became the first
}

// ReactionTime is the time that a viewer needs to notice that another row has become the first. A
// key pressed within this time applies to the previous first row.
const ReactionTime = 700 * time.Millisecond

// Selected returns the key of the selected row. ok is false if no row is selected.
func (m *Model) Selected() (key string, ok bool) {
	if !m.selectable || len(m.rows) == 0 {
		return "", false
	}
	return m.selection.key, true
}

// ChosenKey returns the key of the selected row. ok is false if no row is selected, or if the row is
// selected only because it is the first.
func (w *window) ChosenKey() (key string, ok bool) {
	if !w.selection.chosen || !w.selectable || len(w.rows) == 0 {
		return "", false
	}
	return w.selection.key, true
}

// ChooseVisibleRow chooses the row that the viewer has seen as the selected one. If the first row changed
// less than ReactionTime before now, that is the previous first row. ChooseVisibleRow does nothing if a
// row is already chosen.
func (w *window) ChooseVisibleRow(now time.Time) {
	if w.selection.chosen || !w.selectable || len(w.rows) == 0 {
		return
	}
	if now.Sub(w.selection.firstChangedAt) < ReactionTime {
		w.selectAt(w.positionOf(w.selection.previousFirstKey))
	}
	w.selection.chosen = true
}

// recordNewFirst records that the first row has changed. previous is the key of the old first row.
// It does nothing if a row is chosen, if previous is "" or still the key of the first row, or
// within ReactionTime of the last recorded change.
func (w *window) recordNewFirst(previous string, now time.Time) {
	if !w.selection.chosen && previous != "" && previous != w.selection.key && now.Sub(w.selection.firstChangedAt) >= ReactionTime {
		w.selection.previousFirstKey, w.selection.firstChangedAt = previous, now
	}
}

// ClearChoice ends the choice of a row. Until the viewer chooses a row again, the first row is
// selected, even if another row becomes the first.
func (w *window) ClearChoice() {
	w.selection.chosen = false
	if w.selectable {
		w.selectAt(0)
	}
}

// Select chooses the row with the given key. It returns false if there is no such row, or if rows cannot be
// selected. An empty table remembers the key until rows arrive, and Select also returns false.
func (m *Model) Select(key string) bool {
	if !m.selectable {
		return false
	}
	if len(m.rows) == 0 {
		m.selection.key, m.selection.chosen = key, true
		return false
	}
	index := m.positionOf(key)
	if index < 0 {
		return false
	}
	m.selection.chosen = true
	m.selectAt(index)
	return true
}

// SelectedIsUnmatched reports whether the selected row no longer matches the filter and is listed only
// because it is selected.
func (m *Model) SelectedIsUnmatched() bool { return m.unmatchedPos != noUnmatchedRow }

// Position returns a position counted from 1, the number of rows that match the filter, and the
// number of all rows. index is the position of the selected row, or of the first visible row in a
// table without selection, or 0 without rows. An unmatched row has a position, but does not count
// as matching.
func (m *Model) Position() (index, matching, total int) {
	switch {
	case len(m.rows) == 0:
	case m.selectable:
		index = m.selection.index + 1
	default:
		index = m.offset + 1
	}
	matching = len(m.rows)
	if m.SelectedIsUnmatched() {
		matching--
	}
	return index, matching, len(m.remembered.keys)
}

// ListedRows returns the source indices of the listed rows, in the order of the table. The slice is
// valid until the table changes.
func (m *Model) ListedRows() []int32 { return m.rows }

// ScrollTo scrolls a table without selection so that the row at index, counted from 0, is the first
// visible row. It does not scroll past the end of the rows. If the table has a selection, it does
// nothing.
func (m *Model) ScrollTo(index int) {
	if m.selectable || index == m.offset {
		return
	}
	before := m.offset
	m.offset = index
	m.clampView()
	m.dirty = m.dirty || m.offset != before
}

// FreezeTopRows keeps the first n rows of a table without selection in view while the other rows
// scroll. It limits n to half of the visible rows.
func (s *renderer) FreezeTopRows(n int) {
	if n = max(min(n, s.visibleRows/2), 0); !s.selectable && n != s.frozenRows {
		s.frozenRows, s.dirty = n, true
	}
}

// FrozenRows returns the number of rows at the top that do not scroll.
func (w *window) FrozenRows() int { return w.frozenRows }

// rowAt returns the position of the row on line y of the view, and whether the line is the second
// line of that row. If there is no row on the line, the position is at least the number of rows. A
// row whose lines do not all fit is not in the view.
func (s *renderer) rowAt(y int) (index int, second bool) {
	n := s.linesPerRow()
	switch index = y / n; {
	case index >= s.visibleRows:
		return len(s.rows), false
	case index >= s.frozenRows:
		index += s.offset
	}
	return index, y%n > 0
}

// Reveal scrolls a table without selection until the row with the given key is in view. It returns
// false if there is no such row or the table has a selection.
func (m *Model) Reveal(key string) bool {
	index := m.positionOf(key)
	if m.selectable || index < 0 {
		return false
	}
	h := m.visibleRows - m.frozenRows
	if h > 0 && index >= m.frozenRows && (index < m.offset+m.frozenRows || index >= m.offset+m.visibleRows) {
		m.ScrollTo((index - m.frozenRows) / h * h)
	}
	return true
}

// positionOf returns the position of the row with the given key, or -1 if the row is not listed.
func (w *window) positionOf(key string) int {
	for index, i := range w.rows {
		if w.remembered.keys[i] == key {
			return index
		}
	}
	return -1
}

func (w *window) selectAt(index int) {
	index = min(max(index, 0), len(w.rows)-1)
	if index < 0 {
		return
	}
	w.selection.index, w.selection.key = index, w.remembered.keys[w.rows[index]]
	w.dropUnmatched()
	w.moved = true
	w.clampView()
}

// dropUnmatched removes the unmatched row if it is no longer selected. The other rows stay on their lines.
func (w *window) dropUnmatched() {
	index := w.unmatchedPos
	if index == noUnmatchedRow || index == w.selection.index {
		return
	}
	w.rows, w.heldKey, w.unmatchedPos = slices.Delete(w.rows, index, index+1), "", noUnmatchedRow
	if index < w.selection.index {
		w.selection.index--
	}
	if index < w.offset {
		w.offset--
	}
}

// recordView records the rows in view before a change, unless the view is at the top.
func (w *window) recordView() {
	w.keysInView = w.keysInView[:0]
	if w.offset == 0 {
		return
	}
	for _, i := range w.rows[w.offset:min(w.offset+w.visibleRows, len(w.rows))] {
		w.keysInView = append(w.keysInView, w.remembered.keys[i])
	}
}

// restoreView restores the selection and the view after the rows have changed. A view at the very
// top stays at the top, so that new first rows are visible. Otherwise the rows stay on their lines,
// relative to the topmost row that has moved by at most a page.
func (w *window) restoreView() {
	w.moved = true
	for line, key := range w.keysInView {
		index, h := w.positionOf(key), w.visibleRows
		if previous := w.offset + line; index >= 0 && index-previous <= h && previous-index <= h {
			w.offset = index - line
			break
		}
	}
	if w.selectable && len(w.rows) > 0 {
		w.findSelection()
	}
	w.clampView()
}

func (w *window) findSelection() {
	if !w.selection.chosen {
		w.selectAt(0)
		return
	}
	if index := w.selection.index; index < len(w.rows) && w.remembered.keys[w.rows[index]] == w.selection.key {
		return
	}
	if index := w.positionOf(w.selection.key); index >= 0 {
		w.selection.index = index
		return
	}
	w.selectAt(w.selection.index)
}

// clampView limits the view to the existing rows, and keeps the selected row within the view.
func (w *window) clampView() {
	h := w.visibleRows
	if w.selectable && len(w.rows) > 0 && h > 0 {
		w.offset = min(max(w.offset, w.selection.index-h+1), w.selection.index)
	}
	w.offset = max(min(w.offset, len(w.rows)-h), 0)
}

// move moves the selection by delta rows. In a table without selection, it moves the view. Moving
// back to the first row ends the choice of a row.
func (w *window) move(delta int) {
	if w.selectable {
		w.selectAt(w.selection.index + delta)
		w.selection.chosen = w.selection.index > 0
		return
	}
	w.scroll(delta)
}

// scroll moves the view by delta rows. If the selected row would leave the view, the row at the
// edge is selected instead.
func (w *window) scroll(delta int) {
	h := w.visibleRows
	w.offset = max(min(w.offset+delta, len(w.rows)-h), 0)
	w.moved = true
	if w.selectable && h > 0 {
		w.selectAt(min(max(w.selection.index, w.offset), w.offset+h-1))
		w.selection.chosen = w.selection.index > 0
	}
}

// sortBy sorts the rows by the column with index col. If the order has changed, it scrolls to the
// top, but keeps a chosen row in view.
func (w *window) sortBy(col int, desc bool) {
	if col == w.sortCol && desc == w.sortDesc {
		return
	}
	w.sortCol, w.sortDesc = col, desc
	for i := range w.changed {
		w.changed[i] = true
	}
	w.arrange()
	// After sorting, the viewer wants to see the start of the new order. The selected row is found
	// again by its key.
	w.offset, w.keysInView = 0, w.keysInView[:0]
	w.restoreView()
}
