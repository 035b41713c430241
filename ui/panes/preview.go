package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/look"
	"wallboard/ui/table"
)

// previewPane is a table that fills its page, and what its selected row opens: beside
// it on a wide screen, below it where the rows leave room.
type previewPane struct {
	*tablePane
	shown *Detail // of the selected row; nil: none is
	area  Area    // where it was drawn; no width: there was no room
	alone bool    // there was no room at the last view
	sides look.Halves
}

// What a preview takes: beside a table that keeps all its columns, else below one that
// keeps all its rows, else beside one that keeps its main columns.
const (
	previewFrom  = 140 // cells of the page
	leastPreview = 12  // lines below the rows
	leastBeside  = 56
	mostBeside   = 90
	wholeTable   = 170 // cells beyond which no table has columns
)

// Refresh implements [Pane].
func (p *previewPane) Refresh(sc *Scene) {
	p.refresh(sc)
	p.choose(sc)
	if p.shown != nil && !p.alone {
		p.shown.Refresh(sc)
	}
}

// choose has the preview be that of the selected row. Nobody selects one at a wall.
func (p *previewPane) choose(sc *Scene) {
	of, key, _, ok := p.pointed()
	if row, selected := p.Table.Selected(); !ok && selected && p.shown != nil {
		if _, is := p.record(row); !is { // on the line of a group that opens nothing it stays what it was
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
	p.alone = false // the screen may be another one
	if p.shown != nil {
		p.shown.Restyle(sc)
	}
}

func (p *previewPane) hide() {
	p.tablePane.hide()
	p.area = Area{}
}

// Only implements [Filler].
func (p *previewPane) Only() *RecordTable {
	if !p.alone {
		return nil
	}
	return p.RecordTable
}

// room is where the preview stands in w cells and h lines, from the top left of the
// pane; without a width, if it has no room. The lines include that above it.
func (p *previewPane) room(w, h int) Area {
	rows := p.rows()
	below := h-rows >= leastPreview
	switch {
	case w >= previewFrom && (!below || w >= wholeTable+leastBeside):
		wide := max(min(w*2/5, mostBeside), w-wholeTable)
		return Area{w - wide, 0, wide, h}
	case below:
		return Area{0, rows, w, h - rows}
	}
	return Area{}
}

// View implements [Pane].
func (p *previewPane) View(sc *Scene, x, y, w, h int) []string {
	at := p.room(w, h)
	p.alone = at.W == 0 || sc.Wall != nil
	if p.alone || p.shown == nil {
		p.area = Area{}
		return p.view(sc, x, y, w, h)
	}
	p.area = Area{x + at.X, y + at.Y, at.W, at.h}
	if at.X == 0 { // what it consists of stands in frames
		about := append([]string{sc.Look.Heading(w, p.shown.Crumb(sc), "", false)}, p.shown.View(sc, x, p.area.Y+1, w, at.h-1)...)
		p.fade(sc, about[:1])
		return append(look.FillLines(p.view(sc, x, y, w, at.Y), w, at.Y), about...)
	}
	in := sc.within(p.area.X, p.area.Y, at.W, at.h)
	left := at.X - gutter
	if rows := p.rows(); p.shown.hasCrew() && h-rows >= leastPreview { // there is room for them under the rows
		about := p.named(sc, at, p.shown.viewText(sc, in.X, in.Y, in.W, in.h))
		below := p.shown.crew(sc, x, y+rows, left, h-rows)
		return p.sides.Beside(append(look.FillLines(p.view(sc, x, y, left, rows), left, rows), below...), about, left, at.W, h)
	}
	about := p.named(sc, at, p.shown.View(sc, in.X, in.Y, in.W, in.h))
	return p.sides.Beside(p.view(sc, x, y, left, h), about, left, at.W, h)
}

// named sets what is said of the selected row off, under its name.
func (p *previewPane) named(sc *Scene, at Area, about []string) []string {
	out := sc.part(at.W, at.h, p.shown.Crumb(sc), look.Position{}, false, about)
	p.fade(sc, out[:1])
	return out
}

// fade shows that figures of the selected row are old.
func (p *previewPane) fade(sc *Scene, lines []string) {
	if !p.shown.own() {
		sc.Floor.FadeOld(sc.Look, lines, p.shown.Subs()[0])
	}
}

// rows is how many lines the table has use for, with its titles and a blank.
func (p *previewPane) rows() int {
	_, _, all := p.Table.Position()
	return all + 2
}

// Update obeys a key or the mouse: a click on the preview opens it.
func (p *previewPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if p.area.has(msg.X, msg.Y) && msg.Button == tea.MouseLeft {
			p.Open()
			return nil
		}
	case tea.MouseWheelMsg:
		if p.shown != nil && p.area.has(msg.X, msg.Y) {
			p.shown.text.Wheel(msg)
			return nil
		}
	}
	return p.tablePane.Update(sc, msg)
}
