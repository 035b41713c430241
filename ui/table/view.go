package table

// View returns the table: exactly Height lines of exactly Width cells.
func (m *Model) View() string {
	if !m.dirty && (m.flashEnd == 0 || m.now.UnixNano() < m.flashEnd) {
		return m.view
	}
	m.dirty = false
	m.frame++
	m.flashEnd = 0

	frame := m.paint.frame[:0]
	lines := m.bodyHeight()
	if m.header && m.height > 0 {
		frame = append(frame, m.headerLine()...)
		if lines > 0 {
			frame = append(frame, '\n')
		}
	}
	for y := range lines {
		if y > 0 {
			frame = append(frame, '\n')
		}
		frame = m.appendBodyLine(frame, y, lines)
	}
	m.forget(lines)
	m.paint.frame = frame
	m.view = string(frame)
	return m.view
}

func (m *Model) appendBodyLine(frame []byte, y, lines int) []byte {
	switch at := m.offset + y; {
	case at < len(m.rows):
		frame = append(frame, m.rowLine(at)...)
	case len(m.rows) == 0 && y == lines/3:
		frame = append(frame, m.emptyLine()...)
	default:
		m.paint.start(m.styles.Base)
		m.paint.pad(m.lineWidth())
		frame = append(frame, m.paint.finish()...)
	}
	if !m.hasScrollbar() {
		return frame
	}
	m.paint.start(m.styles.Base)
	m.scrollCell(y, lines)
	return append(frame, m.paint.finish()...)
}

// lineWidth is the width without the scroll bar.
func (m *Model) lineWidth() int {
	if m.hasScrollbar() {
		return m.width - 1
	}
	return m.width
}

func (m *Model) scrollCell(y, lines int) {
	p, total := &m.paint, len(m.rows)
	if total <= lines {
		p.pad(1)
		return
	}
	size := max(lines*lines/total, 1)
	first := m.offset * (lines - size) / (total - lines)
	glyph, style := m.glyphs.ScrollTrack, m.styles.ScrollTrack
	if y >= first && y < first+size {
		glyph, style = m.glyphs.ScrollThumb, m.styles.ScrollThumb
	}
	p.text([]byte(glyph), 1, Left, m, style)
}

func (m *Model) headerLine() []byte {
	p := &m.paint
	p.start(m.styles.Base, m.styles.Header)
	x := 0
	for _, c := range m.placed {
		p.pad(c.x - x)
		m.headerCell(c)
		x = c.x + c.width
	}
	p.pad(m.width - x)
	return p.finish()
}

func (m *Model) headerCell(c placed) {
	p, col := &m.paint, m.columns[c.col]
	if c.col != m.sortCol {
		p.text([]byte(col.Title), c.width, col.Align, m)
		return
	}
	arrow := m.glyphs.Asc
	if m.sortDesc {
		arrow = m.glyphs.Desc
	}
	title := clean(col.Title)
	width := min(m.method.StringWidth(title), c.width-1)
	before, after := place(c.width-1-width, col.Align)
	p.pad(before)
	p.text([]byte(title), width, Left, m, m.styles.HeaderSorted)
	p.text([]byte(arrow), 1, Left, m, m.styles.HeaderSorted)
	p.pad(after)
}

func (m *Model) emptyLine() []byte {
	m.paint.start(m.styles.Base)
	m.paint.text([]byte(m.emptyText), m.lineWidth(), Center, m, m.styles.Empty)
	return m.paint.finish()
}
