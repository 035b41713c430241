package table

// SetSource shows the rows of src. A row that was chosen stays selected by key, the
// view stays where it is unless the selected row would leave it. A chosen row
// that no longer matches the filter is listed until another one is selected: what
// a key acts on must not change under the viewer's hands.
func (m *Model) SetSource(src Source) {
	if src == nil {
		src = empty{}
	}
	gutter := m.gutter()
	m.remember()
	m.held, _ = m.Chosen()
	n := m.take(src)
	if m.gutter() != gutter {
		m.relayout()
	}
	switch n {
	case nothing:
	case looks:
		m.dirty = true
	case anything:
		was := m.sel.key
		m.arrange()
		m.settle()
		m.turn(was, m.now)
	}
}

// SetFilter shows only the rows that match; "" shows all. What a filter means
// is the source's business.
func (m *Model) SetFilter(filter string) {
	if filter == m.filter {
		return
	}
	m.filter, m.held = filter, ""
	m.remember()
	m.refilter()
	m.settle()
}

// Filter returns the filter in force.
func (m *Model) Filter() string { return m.filter }

// SortBy sorts by the column with the ID; an unknown ID, or one that must not
// be sorted by, restores the order of the source.
func (m *Model) SortBy(id string, desc bool) {
	m.sortBy(m.byID(id), desc)
}

// Sort returns the column the table is sorted by, "" if it is in the order of
// its source.
func (m *Model) Sort() (id string, desc bool) {
	if m.sortCol == unsorted {
		return "", false
	}
	return m.columns[m.sortCol].ID, m.sortDesc
}

// ToggleSort sorts by the column in its own first direction, or reverses the
// direction if it is sorted by already.
func (m *Model) ToggleSort(id string) {
	switch col := m.byID(id); col {
	case unsorted:
	case m.sortCol:
		m.sortBy(col, !m.sortDesc)
	default:
		m.sortBy(col, m.columns[col].Desc)
	}
}

// stepSort moves the sort to the next visible column in a direction.
func (m *Model) stepSort(step int) {
	if col := m.beside(m.sortCol, step); col != unsorted {
		m.sortBy(col, m.columns[col].Desc)
	}
}
