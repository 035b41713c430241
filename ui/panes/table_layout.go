package panes

import (
	"slices"
	"strings"

	"wallboard/ui/render"
	"wallboard/ui/table"
)

// tableLayout holds the columns of a table chosen by the configuration and by the viewer.
type tableLayout struct {
	columns      []string      // columns from the configuration; nil: the default columns
	viewer       *table.Layout // layout chosen by the viewer; nil: none
	standard     table.Layout  // layout without the viewer's changes; valid only if viewer is not nil
	hasCustomKPI bool          // at least one column shows a configured KPI
}

// LayoutName returns the name under which the viewer's layout of the table is stored. Tables of the
// same kind of record share a layout, unless their columns are configured differently.
func (p *RecordTable) LayoutName() string {
	if len(p.layout.columns) == 0 {
		return p.Noun
	}
	return p.Noun + ": " + strings.Join(p.layout.columns, " ")
}

// applyStoredLayout applies the viewer's layout in b if it has changed since the last call.
func (p *RecordTable) applyStoredLayout(b *table.LayoutStore) {
	stored := b.Layout(p.LayoutName())
	if stored == p.layout.viewer {
		return
	}
	if p.layout.viewer == nil {
		p.layout.standard = p.Layout()
	}
	p.layout.viewer = stored
	if stored == nil {
		p.applyLayout(&p.layout.standard)
		return
	}
	b.ReportMissingColumns(p.Noun, p.applyLayout(stored))
}

// IsRowChosen reports whether the viewer has moved the cursor to the selected row of a table or
// clicked on it. It returns false if the table itself has selected the row.
func (*Scene) IsRowChosen(p *RecordTable) bool {
	row, ok := p.Table.ChosenKey()
	return ok && row != p.HeldRow
}

// Layout returns the current layout of the table, which consists of its columns and its sort order.
func (p *RecordTable) Layout() table.Layout {
	var l table.Layout
	for _, c := range p.Rows.Columns() {
		l.Columns = append(l.Columns, table.ColumnLayout{ID: c.ID, Width: p.widthOf(c.ID)})
	}
	l.Sort, l.Descending = p.Table.Sort()
	return l
}

// StandardLayout returns the layout of the table without the viewer's changes.
func (p *RecordTable) StandardLayout() table.Layout {
	if p.layout.viewer == nil {
		return p.Layout()
	}
	return p.layout.standard
}

// widthOf returns the width that the viewer has given a column, or 0 for the default width.
func (p *RecordTable) widthOf(id string) int {
	if p.layout.viewer != nil {
		for _, c := range p.layout.viewer.Columns {
			if c.ID == id {
				return c.Width
			}
		}
	}
	return 0
}

// applyLayout applies a layout. It returns the IDs of columns in the layout that the table does not
// have.
func (p *RecordTable) applyLayout(l *table.Layout) (missing []string) {
	all := p.Rows.All()
	var ids []string
	for _, c := range l.Columns {
		if slices.ContainsFunc(all, func(column table.Column) bool { return column.ID == c.ID }) {
			ids = append(ids, c.ID)
		} else {
			missing = append(missing, c.ID)
		}
	}
	p.Rows.Pick(ids...)
	p.comparedRows = nil // the comparison was made with the old columns
	p.Table.SetColumns(p.columns()...)
	p.SortBy(l.Sort, l.Descending)
	return missing
}

// limitColumnPriority is the priority of the column of limits on the page of one service or group.
// A narrow table drops the activity before the limits, and the limits before the time in state.
const limitColumnPriority = 97

// columns returns the columns of the table with the widths chosen by the viewer.
func (p *RecordTable) columns() []table.Column {
	cols := p.Rows.Columns()
	p.layout.hasCustomKPI = render.HasCustomKPI(cols)
	for i := range cols {
		switch c := &cols[i]; {
		case c.ID == "service" && p.service != "", c.ID == "group" && p.group != "": // on this page, most rows have the same value
			c.Priority = 0
		case c.ID == render.LimitColumnID && p.service+p.group != "":
			c.Priority = limitColumnPriority
		}
		if w := p.widthOf(cols[i].ID); w > 0 { // at least as wide as the figures, because a cut figure would look like another figure
			w = max(w, cols[i].Min)
			cols[i].Min, cols[i].Ideal, cols[i].Max, cols[i].Weight = w, w, w, 0
		}
	}
	return cols
}
