package panes

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// previewPane is a table that fills its page, with a preview of the selected row. The preview is
// beside the table if the page is wide enough for both, and otherwise below the table if the rows
// leave enough room.
type previewPane struct {
	*tablePane
	detail      *Detail    // details of the selected row; nil: no row is selected
	area        frame.Area // where the last view has drawn the preview; zero width: nowhere
	hasNoRoom   bool       // the last view had no room for the preview, or was on a wall
	besideCache style.JoinCache
	lastHours   lastHours        // last hours of the agents, drawn below the table if there is room
	preview     style.FrameCache // frame around the preview
}

// Room for a preview. On a wide page, the preview is beside the table, which keeps its main columns
// or all columns that the viewer has chosen. Otherwise the preview is below the table, if all rows
// of the table fit above it.
const (
	minPageWidth    = 140 // minimum width of the page in cells for a preview beside the table
	minPreviewLines = 6   // minimum number of lines below the rows for a preview
	minPartsLines   = 9   // minimum number of lines for a part with agents or a chart, not only figures
	minPreviewWidth = 56
	maxPreviewWidth = 90
	maxTableWidth   = 170 // width in cells that is enough for all columns of a table
)

// Refresh implements [Pane].
func (p *previewPane) Refresh(sc *Scene) {
	p.refresh(sc)
	p.selectRow(sc)
	if p.detail != nil && !p.hasNoRoom {
		p.detail.Refresh(sc)
	}
}

// selectRow makes the preview show the record of the selected row. There is no preview on a wall.
func (p *previewPane) selectRow(sc *Scene) {
	kind, key, _, ok := p.recordUnderCursor()
	if row, selected := p.Table.Selected(); !ok && selected && p.detail != nil {
		if _, isRecord := p.recordKey(row); !isRecord { // a group without details leaves the previous preview in place
			return
		}
	}
	if !ok || sc.Wall != nil {
		p.detail = nil
		return
	}
	if p.detail == nil || p.detail.Kind != kind || p.detail.Key != key {
		p.detail = NewDetail(sc, nil, kind, key, table.WithoutSelection())
		p.detail.Refresh(sc)
	}
}

func (p *previewPane) restyle(sc *Scene) {
	p.RecordTable.restyle(sc)
	p.hasNoRoom = false // restyle is also called after the size of the screen has changed
	if p.detail != nil {
		p.detail.Restyle(sc)
	}
}

func (p *previewPane) hide() {
	p.tablePane.hide()
	p.area = frame.Area{}
}

// OnlyTable implements [SingleTable]. It returns the table if the last view had no room for a preview
// or was on a wall. Otherwise it returns nil.
func (p *previewPane) OnlyTable() *RecordTable {
	if !p.hasNoRoom {
		return nil
	}
	return p.RecordTable
}

// previewArea returns the area of the preview, including the line above it, within the w cells and
// h lines of the pane. The area has zero width if the preview does not fit. frameLines is the
// number of lines of the frame around the table.
func (p *previewPane) previewArea(w, h, frameLines int) frame.Area {
	rows := p.linesWanted(frameLines)
	below := h-rows >= minPreviewLines
	previewWidth := max(min(w*2/5, maxPreviewWidth), w-maxTableWidth)
	needs := p.columnsWidth() + frameLines + frame.Gutter // the frame takes as many cells as lines
	if w-previewWidth < needs {
		previewWidth = max(w-needs, minPreviewWidth)
	}
	switch {
	case w >= minPageWidth && (!below || w-previewWidth >= needs):
		return frame.Area{X: w - previewWidth, Y: 0, W: previewWidth, H: h}
	case below:
		return frame.Area{X: 0, Y: rows, W: w, H: h - rows}
	}
	return frame.Area{}
}

// columnsWidth returns the width that the table needs for the columns chosen in the configuration
// or by the viewer. If no columns were chosen, it returns 0, or the width for configured KPIs if
// there are any.
func (p *previewPane) columnsWidth() int {
	own := p.layout.viewer != nil && !slices.EqualFunc(p.layout.viewer.Columns, p.layout.standard.Columns,
		func(a, b table.ColumnLayout) bool { return a.ID == b.ID })
	if own || len(p.layout.columns) > 0 {
		return p.Table.MinWidth(0)
	}
	if p.layout.hasCustomKPI {
		return p.Table.MinWidth(render.CustomKPIPriority)
	}
	return 0
}

// View implements [Pane].
func (p *previewPane) View(sc *Scene, x, y, w, h int) []string {
	frameLines, _ := sc.frameMargins() // a frame takes as many lines as cells
	area := p.previewArea(w, h, frameLines)
	p.hasNoRoom = area.W == 0 || sc.Wall != nil
	left := area.X - frame.Gutter
	rows := p.arrangeTableLines(left, h, frameLines)
	if p.hasNoRoom || p.detail == nil {
		p.area = frame.Area{}
		return drawMain(p.tablePane, sc, x, y, w, h, p.status)
	}
	p.area = frame.Area{X: x + area.X, Y: y + area.Y, W: area.W, H: area.H}
	if area.X == 0 { // the preview is below the table, where its parts have their own frames
		view := p.detail.View
		if area.H < minPartsLines {
			view = p.detail.viewFigures
		}
		about := append([]string{sc.Look.Heading(w, p.detail.Breadcrumb(sc), "", false)}, view(sc, x, p.area.Y+1, w, area.H-1)...)
		p.fade(sc, about[:1])
		return append(drawMain(p.tablePane, sc, x, y, w, area.Y, p.status), about...)
	}
	inner := sc.InnerArea(p.area.X, p.area.Y, area.W, area.H)
	if p.detail.hasParts() && h-rows >= minPartsLines { // the agents fit below the figures
		about := p.drawFramed(sc, area, p.detail.viewFigures(sc, inner.X, inner.Y, inner.W, inner.H))
		below := p.detail.drawAgentsAndChart(sc, x, y+rows, left, h-rows)
		return p.besideCache.JoinBlocks(sc.Look, append(drawMain(p.tablePane, sc, x, y, left, rows, p.status), below...), about, left, area.W, h)
	}
	within := *sc
	within.HasFrames = false // the preview is already inside a frame
	about := p.drawFramed(sc, area, p.detail.View(&within, inner.X, inner.Y, inner.W, inner.H))
	if p.agents == nil || h-rows < minHoursHeight {
		rows = h
	}
	table := drawMain(p.tablePane, sc, x, y, left, rows, p.status)
	return p.besideCache.JoinBlocks(sc.Look, append(table, p.lastHours.drawHours(sc, p.RecordTable, left, h-rows)...), about, left, area.W, h)
}

// drawFramed draws about, the lines of the preview, in a frame with the name of the selected
// record.
func (p *previewPane) drawFramed(sc *Scene, area frame.Area, about []string) []string {
	name := p.detail.Breadcrumb(sc)
	if !sc.HasFrames {
		out := sc.DrawPart(area.W, area.H, name, style.HeadingStatus{}, false, about)
		p.fade(sc, out[:1])
		return out
	}
	out := p.preview.DrawFramed(sc.Look, area.W, area.H, style.PartFrame{Key: sc.KeyHints.Pages[name], Title: name}, about)
	p.fade(sc, out[:1])
	return out
}

// fade fades lines of the preview if the figures of the selected record are stale.
func (p *previewPane) fade(sc *Scene, lines []string) {
	if !p.detail.showsBoardFigures() {
		sc.Floor.FadeStale(sc.Look, lines, p.detail.Subscriptions()[0])
	}
}

// linesWanted returns the number of lines that the table can use, including its titles and its
// frame or, without a frame, a blank line.
func (p *previewPane) linesWanted(frameLines int) int {
	_, _, total := p.Table.Position()
	return total + 1 + max(frameLines, 1)
}

// arrangeTableLines gives each row two lines if a table of w cells can thus show more columns, and
// if enough of the h lines remain for the parts below the table. It returns the height of the
// table. The result does not depend on the selected row, so rows keep their height while the cursor
// moves.
func (p *previewPane) arrangeTableLines(w, h, frameLines int) int {
	rows := p.linesWanted(frameLines)
	two := 2*(rows-max(frameLines, 1)) + frameLines
	if p.detail != nil && p.detail.hasParts() {
		h -= 3 * minChartHeight
	}
	tall := !p.hasNoRoom && p.detail != nil && p.agents == nil && w > 0 && w-frameLines < p.Table.MinWidth(0) && two <= h
	if p.Table.SetTwoLines(tall); tall {
		return two
	}
	return rows
}

// Update handles a key or a mouse message. A click on the preview opens the selected row.
func (p *previewPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if p.area.Contains(msg.X, msg.Y) && msg.Button == tea.MouseLeft {
			p.Open()
			return nil
		}
	case tea.MouseWheelMsg:
		if p.detail != nil && p.area.Contains(msg.X, msg.Y) {
			p.detail.scroller.Wheel(msg)
			return nil
		}
	}
	return p.tablePane.Update(sc, msg)
}
