package ui

import (
	"wallboard/ui/panes"
)

// barePage is a page that may be nothing but the rows of a table.
type barePage interface {
	panes.Filler
	// Arrange gives the table its place, as view does.
	Arrange(sc *panes.Scene, x, y, w, h int)
}

// bare returns the table that fills the page when nothing lies over it and none
// of it has to fade: nil if there is more to the page than its rows. They are
// most of what changes from frame to frame, and go to the frame as they are.
func (m *Model) bare() *panes.RecordTable {
	page, ok := m.pages.page().(barePage)
	if !ok {
		return nil
	}
	only := page.Only()
	switch {
	case only == nil || m.scene.wall != nil,
		m.width < minWidth || m.height < minHeight,
		m.covered(),
		only.Stale(m.scene.panes()):
		return nil
	}
	return only
}

// putBare is put of [Model.lines] for a page that is bare.
func (m *Model) putBare(p *panes.RecordTable) {
	w := m.width
	m.pages.page().Refresh(m.scene.panes())
	now := m.moment()
	head := m.header(now)
	top := len(head) + 1
	if page, ok := m.pages.page().(barePage); ok {
		page.Arrange(m.scene.panes(), 0, top, w, m.height-top-1)
	}
	rows := p.Place(0, top, w, m.height-top-1).All()
	m.frame.put(m.scene.look, head...)
	m.frame.put(m.scene.look, m.around.Title(now, m.pages.place(m.scene.panes())))
	m.frame.rows(rows)
	m.frame.put(m.scene.look, m.footer(now))
}
