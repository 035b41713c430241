package ui

import (
	"wallboard/ui/panes"
)

// tablePage is a page that can consist of one table only.
type tablePage interface {
	panes.SingleTable
	// Arrange positions the table as the page's View does.
	Arrange(sc *panes.Scene, x, y, w, h int)
}

// onlyTable returns the table that fills the page if nothing covers it and its figures are not
// stale, else nil. Its rows are written to the frame without another pass, because they are
// most of the bytes that change between frames.
func (m *Model) onlyTable() *panes.RecordTable {
	page, ok := m.pages.page().(tablePage)
	if !ok {
		return nil
	}
	only := page.Only()
	switch {
	case only == nil || m.scene.kiosk != nil,
		m.width < minWidth || m.height < minHeight,
		m.isCovered(),
		only.Stale(m.scene.panes()):
		return nil
	}
	return only
}

// putTable is the counterpart of [Model.rows] for a bare page.
func (m *Model) putTable(p *panes.RecordTable) {
	w := m.width
	m.pages.page().Refresh(m.scene.panes())
	frameData := m.frameData()
	head := m.header(frameData)
	top := len(head) + 1
	if page, ok := m.pages.page().(tablePage); ok {
		page.Arrange(m.scene.panes(), 0, top, w, m.height-top-1)
	}
	rows := p.Place(0, top, w, m.height-top-1).All()
	m.frame.put(m.scene.look, head...)
	m.frame.put(m.scene.look, m.frameLines.Title(frameData, m.pages.place(m.scene.panes())))
	m.frame.rows(rows)
	m.frame.put(m.scene.look, m.footer(frameData))
}
