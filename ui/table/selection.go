package table

import "slices"

// selection is the selected row. The key is kept while the row is missing from
// an empty table, so that a resync does not move the selection.
type selection struct {
	key  string
	set  bool // key is wanted
	at   int  // position in rows, or where it was last
	lost string
}

// Selected returns the key of the selected row, false if there is none.
func (m *Model) Selected() (key string, ok bool) {
	if !m.cursorOn || len(m.rows) == 0 {
		return "", false
	}
	return m.sel.key, true
}

// Select selects a row and tells whether it is there. While the table is empty
// the key is kept for when the rows come.
func (m *Model) Select(key string) bool {
	if !m.cursorOn {
		return false
	}
	if len(m.rows) == 0 {
		m.sel.key, m.sel.set = key, true
		return false
	}
	at := m.find(key)
	if at < 0 {
		return false
	}
	m.selectAt(at)
	return true
}

// TakeLost returns the key of a selected row that has vanished since the last
// call, so that the page can say so; the nearest row is selected now.
func (m *Model) TakeLost() (key string, ok bool) {
	key, m.sel.lost = m.sel.lost, ""
	return key, key != ""
}

// Stray tells whether the selected row is listed only because it is selected: it
// has left the filter.
func (m *Model) Stray() bool { return m.stray != none }

// Position returns the position of the selected row (or of the first visible
// one, without a selection) counted from 1, the rows that match the filter and
// all rows. A row that has left the filter has a position, but is not counted.
func (m *Model) Position() (at, matching, total int) {
	switch {
	case len(m.rows) == 0:
	case m.cursorOn:
		at = m.sel.at + 1
	default:
		at = m.offset + 1
	}
	matching = len(m.rows)
	if m.Stray() {
		matching--
	}
	return at, matching, len(m.known.keys)
}

// Order returns the rows that are shown, by their places in the source, in the
// order in which they are. The slice is good until the table changes.
func (m *Model) Order() []int32 { return m.rows }

// ScrollTo makes a row of a table without selection the first one in view, as far
// as there are enough below it; rows are counted from 0.
func (m *Model) ScrollTo(at int) {
	if m.cursorOn || at == m.offset {
		return
	}
	before := m.offset
	m.offset = at
	m.clampView()
	m.dirty = m.dirty || m.offset != before
}

// Reveal scrolls a table without selection until a row is in view, and tells
// whether it is there.
func (m *Model) Reveal(key string) bool {
	at := m.find(key)
	if m.cursorOn || at < 0 {
		return false
	}
	h := m.bodyHeight()
	if h > 0 && (at < m.offset || at >= m.offset+h) {
		m.ScrollTo(at / h * h)
	}
	return true
}

// find returns the position of the row with the key, -1 if it is not shown.
func (m *Model) find(key string) int {
	for at, i := range m.rows {
		if m.known.keys[i] == key {
			return at
		}
	}
	return -1
}

func (m *Model) selectAt(at int) {
	at = min(max(at, 0), len(m.rows)-1)
	if at < 0 {
		return
	}
	m.sel.at, m.sel.key, m.sel.set = at, m.known.keys[m.rows[at]], true
	m.dropStray()
	m.dirty = true
	m.clampView()
}

// dropStray takes a row that has left the filter out when it is not selected any
// more. The others keep their lines.
func (m *Model) dropStray() {
	at := m.stray
	if at == none || at == m.sel.at {
		return
	}
	m.rows, m.held, m.stray = slices.Delete(m.rows, at, at+1), "", none
	if at < m.sel.at {
		m.sel.at--
	}
	if at < m.offset {
		m.offset--
	}
}

// remember notes which rows are in view, before they change.
func (m *Model) remember() {
	m.inView = m.inView[:0]
	if m.offset == 0 {
		return
	}
	for _, i := range m.rows[m.offset:min(m.offset+m.bodyHeight(), len(m.rows))] {
		m.inView = append(m.inView, m.known.keys[i])
	}
}

// settle finds selection and view again after the rows have changed. A view at
// the very top stays there, so that new first rows are seen; any other keeps
// its rows on their lines. It goes by the uppermost row that has not moved more
// than a page: one that has moved farther has left the others.
func (m *Model) settle() {
	m.dirty = true
	for line, key := range m.inView {
		at, h := m.find(key), m.bodyHeight()
		if was := m.offset + line; at >= 0 && at-was <= h && was-at <= h {
			m.offset = at - line
			break
		}
	}
	if m.cursorOn && len(m.rows) > 0 {
		m.findSelection()
	}
	m.clampView()
}

func (m *Model) findSelection() {
	if !m.sel.set {
		m.selectAt(0)
		return
	}
	if at := m.find(m.sel.key); at >= 0 {
		m.sel.at = at
		return
	}
	m.sel.lost = m.sel.key
	m.selectAt(m.sel.at)
}

// clampView keeps the view within the rows and the selected row within the
// view.
func (m *Model) clampView() {
	h := m.bodyHeight()
	if m.cursorOn && len(m.rows) > 0 && h > 0 {
		m.offset = min(max(m.offset, m.sel.at-h+1), m.sel.at)
	}
	m.offset = max(min(m.offset, len(m.rows)-h), 0)
}

// move moves the selection, or the view if there is no selection.
func (m *Model) move(by int) {
	if m.cursorOn {
		m.selectAt(m.sel.at + by)
		return
	}
	m.scroll(by)
}

// scroll moves the view. A selected row that would leave it hands the selection
// to the row at the edge.
func (m *Model) scroll(by int) {
	h := m.bodyHeight()
	m.offset = max(min(m.offset+by, len(m.rows)-h), 0)
	m.dirty = true
	if m.cursorOn && h > 0 {
		m.selectAt(min(max(m.sel.at, m.offset), m.offset+h-1))
	}
}
