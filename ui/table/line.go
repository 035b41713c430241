package table

import (
	"bytes"
	"maps"
	"slices"
)

// line is a rendered row, and what is needed to tell whether it still holds.
type line struct {
	drawn    []byte
	text     string // drawn as a string, "" if that is not made yet
	bar      string // what drawn ends in: the scroll bar's part
	version  uint64
	look     uint64
	selected bool
	stray    bool
	frame    uint64 // the last frame it was part of

	cells    []byte  // texts of the visible columns, one after another
	ends     []int   // where each of them ends
	until    []int64 // end of each cell's flash in Unix nanoseconds, 0 if none
	flashEnd int64   // the earliest of these
}

// take makes what the painter has drawn the text of this line, with the scroll
// bar's part at its end. They swap buffers.
func (l *line) take(p *painter, bar string) {
	text := p.finish(bar)
	l.drawn, p.out = text, l.drawn
	l.text, l.bar = "", bar
}

// rebar gives the line another part of the scroll bar.
func (l *line) rebar(bar string) {
	l.drawn = append(bytes.TrimSuffix(l.drawn, []byte(l.bar)), bar...)
	l.text, l.bar = "", bar
}

func (l *line) string() string {
	if l.text == "" {
		l.text = string(l.drawn)
	}
	return l.text
}

// rowLine returns the line of the row at a position, rendered anew only if it
// does not hold any more.
func (m *Model) rowLine(at int, bar string) *line {
	i := m.rows[at]
	key, version := m.known.keys[i], m.src.Version(int(i))
	selected, stray := m.cursorOn && at == m.sel.at, at == m.stray
	l := m.cache[key]
	if l == nil {
		l = &line{}
		m.cache[key] = l
	}
	now := m.now.UnixNano()
	holds := l.drawn != nil && l.version == version && l.look == m.look &&
		l.selected == selected && l.stray == stray && (l.flashEnd == 0 || now < l.flashEnd)
	if !holds {
		l.version, l.look, l.selected, l.stray = version, m.look, selected, stray
		m.render(l, int(i), now)
		l.take(&m.paint, bar)
	} else if l.bar != bar {
		l.rebar(bar)
	}
	l.frame = m.frame
	if l.flashEnd != 0 && (m.flashEnd == 0 || l.flashEnd < m.flashEnd) {
		m.flashEnd = l.flashEnd
	}
	return l
}

// render draws row i into the painter. A cell flashes when its text differs from the frame
// before; a row that was not in that frame has nothing to differ from. What differs
// only because the columns were placed anew is no change.
func (m *Model) render(l *line, i int, now int64) {
	p := &m.paint
	if m.rowSrc != nil {
		p.row.reset()
		m.rowSrc.Row(i, &p.row)
	}
	over := m.overlay(l)
	p.start(m.styles.Base, p.row.Style, over)
	m.gutterCells(l.selected)

	seen := l.frame == m.frame-1 && len(l.ends) == len(m.placed)
	if !seen {
		l.ends = slices.Repeat([]int{0}, len(m.placed))
		l.until = make([]int64, len(m.placed))
	}
	l.flashEnd, p.cells = 0, p.cells[:0]
	x, from := m.gutter(), 0
	for n, c := range m.placed {
		p.pad(c.x - x)
		x = c.x + c.width
		p.cell.reset(c.width)
		m.src.Cell(i, c.col, &p.cell)
		m.measure(c)

		to := l.ends[n]
		changed := seen && !m.again && !m.columns[c.col].NoFlash && !bytes.Equal(l.cells[from:to], p.cell.Text)
		p.cells = append(p.cells, p.cell.Text...)
		from, l.ends[n] = to, len(p.cells)
		m.drawCell(c, over, l.flash(n, changed, now, int64(m.flashFor)))
	}
	p.pad(m.lineWidth() - x)
	l.cells, p.cells = p.cells, l.cells
}

// measure notes how wide the text of the painter's cell is, in a column that may
// grow, and once how wide its title is, with the arrow of the sort. What carries
// its own styles is made for the width it is given.
func (m *Model) measure(c placed) {
	col, cell := &m.columns[c.col], &m.paint.cell
	if col.Weight <= 0 || cell.Raw {
		return
	}
	n, ok := plain(cell.Text)
	if !ok {
		n = m.method.StringWidth(clean(string(cell.Text)))
	}
	n = max(n, cell.Want)
	if m.widest[c.col] == 0 {
		n = max(n, m.method.StringWidth(clean(col.Title))+1)
	}
	if n > m.widest[c.col] {
		m.widest[c.col] = n
		m.cut = m.cut || n > c.width
	}
}

// flash tells whether cell n is to be marked, and starts a mark if it has
// changed.
func (l *line) flash(n int, changed bool, now, lasts int64) bool {
	if changed {
		l.until[n] = now + lasts
	}
	if lasts <= 0 || l.until[n] == 0 || l.until[n] <= now {
		l.until[n] = 0
		return false
	}
	if l.flashEnd == 0 || l.until[n] < l.flashEnd {
		l.flashEnd = l.until[n]
	}
	return true
}

// drawCell appends the painter's cell. The selection lies over the cell's own
// style, a flash over both.
func (m *Model) drawCell(c placed, over string, flash bool) {
	p := &m.paint
	align := p.cell.Align
	if align == AlignDefault {
		align = m.columns[c.col].Align
	}
	mark := ""
	if flash {
		mark = m.styles.Flash
	}
	if p.cell.Style == "" {
		over = "" // switched on for the whole row already
	}
	if m.blank != "" && (align == Right && len(p.cell.Text) > 0 || m.columns[c.col].Passing) {
		p.text([]byte(m.blank), c.width, align, m, over)
		return
	}
	if p.cell.Raw && onlyStyles(p.cell.Text) {
		p.raw(p.cell.Text, c.width, align, m, p.cell.Style, over, mark)
		return
	}
	p.text(p.cell.Text, c.width, align, m, p.cell.Style, over, mark)
}

// overlay is what lies over the cells of a row.
func (m *Model) overlay(l *line) string {
	over := ""
	switch {
	case !l.selected:
	case m.focused:
		over = m.styles.Selected
	default:
		over = m.styles.SelectedBlurred
	}
	if l.stray {
		over += m.styles.Stray
	}
	return over
}

func (m *Model) gutterCells(selected bool) {
	p, room := &m.paint, m.gutter()
	if m.cursorOn && room > 0 {
		if selected {
			p.text([]byte(m.glyphs.Cursor), 1, Left, m, m.styles.Cursor)
		} else {
			p.pad(1)
		}
		room--
	}
	if m.rowSrc != nil && room > 0 {
		p.text([]byte(p.row.Marker), 1, Left, m, p.row.MarkerStyle)
		room--
	}
	p.pad(room)
}

// forget drops lines that have left the view, once there are many of them.
func (m *Model) forget(lines int) {
	if len(m.cache) <= 2*lines {
		return
	}
	maps.DeleteFunc(m.cache, func(_ string, l *line) bool { return l.frame != m.frame })
}
