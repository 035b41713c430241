package panes

import (
	"slices"
	"strings"

	"wallboard/layouts"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// laid is how the viewer wants a table to be.
type laid struct {
	columns  []string        // those that a configuration has chosen; nil: none
	now      *layouts.Layout // nil: as it is by itself
	standard layouts.Layout  // as it is by itself, once it is not
	figures  bool            // there are some of figures of one's own
}

// Called is the name by which the viewer's layout of the table is kept. Tables of the
// same records are laid out alike, but those whose columns a configuration chooses.
func (p *RecordTable) Called() string {
	if len(p.laid.columns) == 0 {
		return p.Noun
	}
	return p.Noun + ": " + strings.Join(p.laid.columns, " ")
}

// follow lays the table out as a book says.
func (p *RecordTable) follow(b *layouts.Book) {
	want := b.Of(p.Called())
	if want == p.laid.now {
		return
	}
	if p.laid.now == nil {
		p.laid.standard = p.Layout()
	}
	p.laid.now = want
	if want == nil {
		p.lay(&p.laid.standard)
		return
	}
	b.Gone(p.Noun, p.lay(want))
}

// Layout returns how the table is now.
func (p *RecordTable) Layout() layouts.Layout {
	var l layouts.Layout
	for _, c := range p.Rows.Columns() {
		l.Columns = append(l.Columns, layouts.Column{ID: c.ID, Width: p.widthOf(c.ID)})
	}
	l.Sort, l.Descending = p.Table.Sort()
	return l
}

// Standard returns how the table is by itself.
func (p *RecordTable) Standard() layouts.Layout {
	if p.laid.now == nil {
		return p.Layout()
	}
	return p.laid.standard
}

// widthOf returns the width that a column was given, 0 for none.
func (p *RecordTable) widthOf(id string) int {
	if p.laid.now != nil {
		for _, c := range p.laid.now.Columns {
			if c.ID == id {
				return c.Width
			}
		}
	}
	return 0
}

// lay lays the table out, and returns the columns that it does not have.
func (p *RecordTable) lay(l *layouts.Layout) (gone []string) {
	all := p.Rows.All()
	var ids []string
	for _, c := range l.Columns {
		if slices.ContainsFunc(all, func(one table.Column) bool { return one.ID == c.ID }) {
			ids = append(ids, c.ID)
		} else {
			gone = append(gone, c.ID)
		}
	}
	p.Rows.Pick(ids...)
	p.than = nil // its columns are others
	p.Table.SetColumns(p.columns()...)
	p.SortBy(l.Sort, l.Descending)
	return gone
}

// urgent is the priority of the time against its limit among the agents of one place: after
// that of the time, before that of the activity.
const urgent = 97

// columns returns the columns that the table has, as wide as the viewer wants them.
func (p *RecordTable) columns() []table.Column {
	cols := p.Rows.Columns()
	p.laid.figures = render.HasOwn(cols)
	for i := range cols {
		switch c := &cols[i]; {
		case c.ID == "service" && p.service != "", c.ID == "group" && p.group != "": // that of the page, mostly
			c.Priority = 0
		case c.ID == render.ByUrgency && p.service+p.group != "":
			c.Priority = urgent
		}
		if w := p.widthOf(cols[i].ID); w > 0 { // no figure is cut: 1 of 12 would be another one
			w = max(w, cols[i].Min)
			cols[i].Min, cols[i].Ideal, cols[i].Max, cols[i].Weight = w, w, w, 0
		}
	}
	return cols
}
