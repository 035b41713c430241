package table

import "slices"

// SetSource makes the table show the rows of src. If src is nil, the table has no rows. A chosen
// row stays selected by its key, and the rows in view stay on their lines as far as possible. If a
// chosen row no longer matches the filter, it stays listed until another row is selected, so that a
// key does not act on a row that the viewer does not expect.
func (m *Model) SetSource(src Source) {
	if src == nil {
		src = emptySource{}
	}
	gutter := m.gutterWidth()
	m.recordView()
	m.heldKey, _ = m.ChosenKey()
	n := m.setSource(src)
	if m.Pinned.changed {
		m.Pinned.changed, m.dirty = false, true
		if m.shared != nil {
			m.useShared(m.shared)
		} else {
			m.listMatches()
		}
		n = max(n, orderUnchanged)
		m.restoreView()
	}
	if m.gutterWidth() != gutter {
		m.relayout()
	}
	switch n {
	case sourceUnchanged:
	case orderUnchanged:
		m.dirty = true
	case orderChanged:
		previous := m.selection.key
		m.arrange()
		m.restoreView()
		m.recordNewFirst(previous, m.now)
	}
}

// SetFilter makes the table list only the rows that match a filter. An empty filter matches all
// rows. [Source.Matches] defines the meaning of a filter.
func (m *Model) SetFilter(filter string) {
	if filter == m.filter {
		return
	}
	m.filter, m.heldKey = filter, ""
	m.recordView()
	m.refilter()
	m.restoreView()
}

// Filter returns the current filter.
func (m *Model) Filter() string { return m.filter }

// SortBy sorts the rows by the column with the given ID. If the ID is unknown or the column has
// NoSort, SortBy restores the order of the source.
func (m *Model) SortBy(id string, desc bool) {
	m.sortBy(m.sortableColumn(id), desc)
}

// Sort returns the ID of the sort column, and whether the order is descending. The ID is "" if the
// rows have the order of the source.
func (m *Model) Sort() (id string, desc bool) {
	if m.sortCol == noSortColumn {
		return "", false
	}
	return m.columns[m.sortCol].ID, m.sortDesc
}

// HiddenSort returns the title of the sort column if that column does not fit into the table, so
// that no header shows the order. Otherwise it returns "".
func (m *Model) HiddenSort() string {
	isSort := func(p placedColumn) bool { return p.col == m.sortCol }
	if m.sortCol == noSortColumn || slices.ContainsFunc(m.visible.first, isSort) || slices.ContainsFunc(m.visible.second, isSort) {
		return ""
	}
	return m.columns[m.sortCol].Title
}

// ToggleSort sorts the rows by the column with the given ID, in the default direction of the
// column. If the table is already sorted by this column, ToggleSort reverses the direction. It does
// nothing if the table cannot be sorted by the column.
func (m *Model) ToggleSort(id string) {
	switch col := m.sortableColumn(id); col {
	case noSortColumn:
	case m.sortCol:
		m.sortBy(col, !m.sortDesc)
	default:
		m.sortBy(col, m.columns[col].SortDescending)
	}
}

// stepSort sorts the rows by the next visible column in the direction of step, which is 1 or -1.
func (m *Model) stepSort(step int) {
	if col := m.nextColumn(m.sortCol, step); col != noSortColumn {
		m.sortBy(col, m.columns[col].SortDescending)
	}
}
