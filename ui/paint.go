package ui

import (
	"wallboard/ui/frame"
	"wallboard/ui/panes"
)

// painter draws a board. It only reads the board and changes its own lines and frame.
type painter struct {
	board *Model
	lines frame.Lines // lines around the page
	drawn frame.DrawnScreen
}

// tablePage is a page that may consist of a single table.
type tablePage interface {
	panes.SingleTable
	// Arrange positions the table as the page's View does.
	Arrange(sc *panes.Scene, x, y, w, h int)
}

// onlyTable returns the table that fills the page. It returns nil if there is no such table, on a
// kiosk, if the table is covered or framed, or if its figures are stale. Such a table accounts for
// most of the bytes that change between frames, so its rows are written to the frame unchanged.
func (s *painter) onlyTable() *panes.RecordTable {
	m := s.board
	page, ok := m.shownFloor.pages.CurrentPage().(tablePage)
	if !ok {
		return nil
	}
	only := page.OnlyTable()
	switch {
	case only == nil || m.shownFloor.scene.kiosk != nil,
		!frame.Fits(m.width, m.height), m.width >= minFramedWidth,
		m.isCovered(),
		only.HasStaleFigures(m.shownFloor.scene.paneScene()):
		return nil
	}
	return only
}

// putTable draws a page that consists of the table p. For such a page, it is used instead of
// [painter.pageLines].
func (s *painter) putTable(p *panes.RecordTable) {
	m := s.board
	w := m.width
	m.shownFloor.pages.CurrentPage().Refresh(m.shownFloor.scene.paneScene())
	frameData := s.newFrameData()
	head := s.header(frameData)
	top := len(head) + 1
	m.shownFloor.pages.CurrentPage().(tablePage).Arrange(m.shownFloor.scene.paneScene(), 0, top, w, m.height-top-1)
	rows := p.SetArea(0, top, w, m.height-top-1).All()
	s.drawn.AppendLines(m.shownFloor.scene.look, head...)
	s.drawn.AppendLines(m.shownFloor.scene.look, s.lines.Title(frameData, m.shownFloor.pages.BreadcrumbPath(m.shownFloor.scene.paneScene())))
	s.drawn.AppendRows(rows)
	s.drawn.AppendLines(m.shownFloor.scene.look, s.footer(frameData))
}

// paint draws the frame and stores its bytes for [Model.Frame].
func (s *painter) paint() {
	m := s.board
	if m.width <= 0 || m.height <= 0 {
		return
	}
	s.drawn.Begin()
	if p := s.onlyTable(); p != nil {
		s.putTable(p)
	} else {
		s.drawn.AppendLines(m.shownFloor.scene.look, s.pageLines()...)
	}
}
