package ui

import (
	"wallboard/ui/frame"
	"wallboard/ui/panes"
)

// tablePage is a page that may consist of a single table.
type tablePage interface {
	panes.SingleTable
	// Arrange positions the table as the page's View does.
	Arrange(sc *panes.Scene, x, y, w, h int)
}

// onlyTable returns the table that fills the page. It returns nil if there is no such table, if
// something covers it or a frame surrounds it, or if its figures are stale. The rows of the table are written to the frame
// unchanged, because they are most of the bytes that change between frames.
func (m *Model) onlyTable() *panes.RecordTable {
	page, ok := m.pages.CurrentPage().(tablePage)
	if !ok {
		return nil
	}
	only := page.Only()
	switch {
	case only == nil || m.scene.kiosk != nil,
		!frame.Fits(m.width, m.height), m.width >= minFramedWidth,
		m.isCovered(),
		only.Stale(m.scene.paneScene()):
		return nil
	}
	return only
}

// putTable draws a page that consists of the table p. It replaces [Model.screenLines] for such a
// page.
func (m *Model) putTable(p *panes.RecordTable) {
	w := m.width
	m.pages.CurrentPage().Refresh(m.scene.paneScene())
	frameData := m.newFrameData()
	head := m.header(frameData)
	top := len(head) + 1
	if page, ok := m.pages.CurrentPage().(tablePage); ok {
		page.Arrange(m.scene.paneScene(), 0, top, w, m.height-top-1)
	}
	rows := p.Place(0, top, w, m.height-top-1).All()
	m.frame.PutLines(m.scene.look, head...)
	m.frame.PutLines(m.scene.look, m.frameLines.Title(frameData, m.pages.ViewerPlace(m.scene.paneScene())))
	m.frame.PutRows(rows)
	m.frame.PutLines(m.scene.look, m.footer(frameData))
}

// paint draws the frame and stores its bytes for [Model.Frame].
func (m *Model) paint() {
	if m.width <= 0 || m.height <= 0 {
		return
	}
	m.frame.Begin()
	if p := m.onlyTable(); p != nil {
		m.putTable(p)
	} else {
		m.frame.PutLines(m.scene.look, m.screenLines()...)
	}
	m.frame.End()
}
