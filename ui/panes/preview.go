package panes

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/config/tableprefs"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// previewPane is a table that fills its page, with a preview of the selected row:
// beside the table on a wide screen, below it if the rows leave room.
type previewPane struct {
	*tablePane
	shown  *Detail    // details of the selected row; nil: no row is selected
	area   frame.Area // where shown was drawn; zero width: there was no room
	noRoom bool       // the preview had no room in the last view
	sides  style.SideBySide
	hours  lastHours // of the agents, if the rows leave room
	cached framedPreview
}

// framedPreview caches the framed preview with its inputs, because most frames show the same.
type framedPreview struct {
	w, h        int
	name        string
	framed      bool
	from, lines []string
}

// Room of a preview. On a wide page it stands beside the table, which keeps its main
// columns or all columns that the viewer has chosen; otherwise below a table that shows
// all its rows.
const (
	previewFrom  = 140 // least width of the page in cells
	leastPreview = 6   // least lines below the rows
	leastParts   = 9   // of these, least lines to show agents beside the figures
	leastBeside  = 56
	mostBeside   = 90
	wholeTable   = 170 // cells beyond which no table has columns
)

// Refresh implements [Pane].
func (p *previewPane) Refresh(sc *Scene) {
	p.refresh(sc)
	p.selectRow(sc)
	if p.shown != nil && !p.noRoom {
		p.shown.Refresh(sc)
	}
}

// selectRow sets the preview to the selected row. A wall has no preview.
func (p *previewPane) selectRow(sc *Scene) {
	of, key, _, ok := p.pointed()
	if row, selected := p.Table.Selected(); !ok && selected && p.shown != nil {
		if _, is := p.record(row); !is { // keep the preview on the line of a group that opens nothing
			return
		}
	}
	if !ok || sc.Wall != nil {
		p.shown = nil
		return
	}
	if p.shown == nil || p.shown.Kind != of || p.shown.Key != key {
		p.shown = NewDetail(sc, nil, of, key, table.WithoutSelection())
		p.shown.Refresh(sc)
	}
}

func (p *previewPane) restyle(sc *Scene) {
	p.RecordTable.restyle(sc)
	p.noRoom, p.cached = false, framedPreview{} // the screen may be another one
	if p.shown != nil {
		p.shown.Restyle(sc)
	}
}

func (p *previewPane) hide() {
	p.tablePane.hide()
	p.area = frame.Area{}
}

// Only implements [SingleTable].
func (p *previewPane) Only() *RecordTable {
	if !p.noRoom {
		return nil
	}
	return p.RecordTable
}

// room returns the area of the preview within w cells and h lines of the pane,
// including the line above it, or an area of zero width if it does not fit.
func (p *previewPane) room(w, h int) frame.Area {
	rows := p.rows()
	below := h-rows >= leastPreview
	wide := max(min(w*2/5, mostBeside), w-wholeTable)
	needs := p.needs() + frame.Gutter
	if w-wide < needs {
		wide = max(w-needs, leastBeside)
	}
	switch {
	case w >= previewFrom && (!below || w-wide >= needs):
		return frame.Area{X: w - wide, Y: 0, W: wide, H: h}
	case below:
		return frame.Area{X: 0, Y: rows, W: w, H: h - rows}
	}
	return frame.Area{}
}

// needs returns how wide the table has to be for columns chosen in a configuration or
// by the viewer, or 0 if none were chosen.
func (p *previewPane) needs() int {
	own := p.layout.viewer != nil && !slices.EqualFunc(p.layout.viewer.Columns, p.layout.standard.Columns,
		func(a, b tableprefs.Column) bool { return a.ID == b.ID })
	if own || len(p.layout.columns) > 0 {
		return p.Table.LeastWidth(0)
	}
	if p.layout.figures {
		return p.Table.LeastWidth(render.CustomKPIPriority)
	}
	return 0
}

// View implements [Pane].
func (p *previewPane) View(sc *Scene, x, y, w, h int) []string {
	at := p.room(w, h)
	p.noRoom = at.W == 0 || sc.Wall != nil
	left := at.X - frame.Gutter
	rows := p.tableLines(left, h)
	if p.noRoom || p.shown == nil {
		p.area = frame.Area{}
		return p.view(sc, x, y, w, h)
	}
	p.area = frame.Area{X: x + at.X, Y: y + at.Y, W: at.W, H: at.H}
	if at.X == 0 { // the parts have frames of their own
		view := p.shown.View
		if at.H < leastParts {
			view = p.shown.viewText
		}
		about := append([]string{sc.Look.Heading(w, p.shown.Crumb(sc), "", false)}, view(sc, x, p.area.Y+1, w, at.H-1)...)
		p.fade(sc, about[:1])
		return append(style.FillLines(p.view(sc, x, y, w, at.Y), w, at.Y), about...)
	}
	in := sc.within(p.area.X, p.area.Y, at.W, at.H)
	if p.shown.hasParts() && h-rows >= leastParts { // they fit under the rows
		about := p.framed(sc, at, p.shown.viewText(sc, in.X, in.Y, in.W, in.H))
		below := p.shown.agentsAndChart(sc, x, y+rows, left, h-rows)
		return p.sides.Beside(append(style.FillLines(p.view(sc, x, y, left, rows), left, rows), below...), about, left, at.W, h)
	}
	within := *sc
	within.Framed = false // already inside a frame
	about := p.framed(sc, at, p.shown.View(&within, in.X, in.Y, in.W, in.H))
	if p.agents == nil || h-rows < leastHours {
		rows = h
	}
	table := style.FillLines(p.view(sc, x, y, left, rows), left, rows)
	return p.sides.Beside(append(table, p.hours.view(sc, p.RecordTable, left, h-rows)...), about, left, at.W, h)
}

// framed draws the lines about the selected row under its name.
func (p *previewPane) framed(sc *Scene, at frame.Area, about []string) []string {
	is, name := &p.cached, p.shown.Crumb(sc)
	if is.w != at.W || is.h != at.H || is.name != name || is.framed != sc.Framed || !slices.Equal(is.from, about) {
		p.cached = framedPreview{at.W, at.H, name, sc.Framed, slices.Clone(about), sc.part(at.W, at.H, name, style.Position{}, false, about)}
	}
	out := slices.Clone(is.lines)
	p.fade(sc, out[:1])
	return out
}

// fade fades the lines if the figures of the selected row are stale.
func (p *previewPane) fade(sc *Scene, lines []string) {
	if !p.shown.ownFigures() {
		sc.Floor.FadeOld(sc.Look, lines, p.shown.Subs()[0])
	}
}

// rows returns how many lines the table can use, with its titles and a blank line.
func (p *previewPane) rows() int {
	_, _, all := p.Table.Position()
	return all + 2
}

// tableLines lets each row of a table of w cells take two lines if that shows more columns
// and leaves enough of the h lines for the parts below, and returns the height of the
// table. It does not depend on the selected row, so that rows keep their height while
// the cursor moves.
func (p *previewPane) tableLines(w, h int) int {
	rows := p.rows()
	two := 2 * (rows - 1)
	if p.shown != nil && p.shown.hasParts() {
		h -= 3 * leastChart
	}
	tall := !p.noRoom && p.shown != nil && p.agents == nil && w > 0 && w < p.Table.LeastWidth(0) && two <= h
	if p.Table.SetTall(tall); tall {
		return two
	}
	return rows
}

// Update handles a key or a mouse message. A click on the preview opens it.
func (p *previewPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if p.area.Has(msg.X, msg.Y) && msg.Button == tea.MouseLeft {
			p.Open()
			return nil
		}
	case tea.MouseWheelMsg:
		if p.shown != nil && p.area.Has(msg.X, msg.Y) {
			p.shown.text.Wheel(msg)
			return nil
		}
	}
	return p.tablePane.Update(sc, msg)
}
