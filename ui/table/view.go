package table

import (
	"iter"
	"slices"
	"strings"
)

// View returns the table: exactly Height lines of exactly Width cells.
func (m *Model) View() string {
	if m.draw() || m.view == "" {
		m.view = strings.Join(m.Lines(), "\n")
	}
	return m.view
}

// Lines returns the lines of [Model.View]. The slice is the caller's.
func (m *Model) Lines() []string {
	if m.draw() {
		m.view = ""
	}
	out := make([]string, len(m.lines))
	for i, l := range m.lines {
		out[i] = l.string()
	}
	return out
}

// All passes on the lines of [Model.View] without making strings of them. Each
// is good until the table is drawn again, and must not be changed.
func (m *Model) All() iter.Seq[[]byte] {
	if m.draw() {
		m.view = ""
	}
	return func(yield func([]byte) bool) {
		for _, l := range m.lines {
			if !yield(l.drawn) {
				return
			}
		}
	}
}

// draw brings the lines up to date and tells whether it had to.
func (m *Model) draw() bool {
	if !m.dirty && (m.flashEnd == 0 || m.now.UnixNano() < m.flashEnd) {
		return false
	}
	m.dirty = false
	m.compose()
	if m.cut {
		// What has been drawn is drawn again rather than to be cut while there is
		// room beside it. What a column asks for only ever grows, until the width
		// changes, for columns should not move whenever a name comes and goes.
		m.cut = false
		was := m.placed
		m.place()
		if !slices.Equal(m.placed, was) {
			m.look++
			m.again = true
			m.compose()
			m.again = false
		}
	}
	return true
}

// compose puts the lines together.
func (m *Model) compose() {
	m.frame++
	m.flashEnd = 0

	m.lines = m.lines[:0]
	if m.header && m.height > 0 {
		m.drawHeader()
		m.lines = append(m.lines, &m.head)
	}
	lines := m.bodyHeight()
	bar := m.scrollBar(lines)
	if len(m.rows) < lines {
		m.drawVoid(bar.at(lines))
	}
	for y := range lines {
		m.lines = append(m.lines, m.bodyLine(y, lines, bar.at(y)))
	}
	m.forget(lines)
}

// bodyLine returns line y of the rows, with the scroll bar's part beside it.
func (m *Model) bodyLine(y, lines int, bar string) *line {
	switch at := m.offset + y; {
	case at < len(m.rows):
		return m.rowLine(at, bar)
	case len(m.rows) == 0 && y == lines/3:
		return &m.reason
	}
	return &m.void
}

// drawVoid draws what stands where there are no rows.
func (m *Model) drawVoid(bar string) {
	p := &m.paint
	p.start(m.styles.Base)
	p.rest(m.lineWidth(), m.styles.Blank)
	m.void.take(p, bar)
	if len(m.rows) == 0 {
		p.start(m.styles.Base)
		p.text([]byte(m.emptyText), m.lineWidth(), Center, m, m.styles.Empty)
		m.reason.take(p, bar)
	}
}

// lineWidth is the width without the scroll bar.
func (m *Model) lineWidth() int {
	if m.hasScrollbar() {
		return m.width - 1
	}
	return m.width
}

// scrollBar is the scroll bar of a view: the thumb on the lines from to to-1,
// the track on the others. Both are "" where there is no scroll bar.
type scrollBar struct {
	thumb, track string
	from, to     int
}

func (m *Model) scrollBar(lines int) scrollBar {
	if !m.hasScrollbar() {
		return scrollBar{}
	}
	total := len(m.rows)
	if total <= lines || lines == 0 {
		return scrollBar{track: m.scrollCell(" ", m.styles.Blank)}
	}
	size := max(lines*lines/total, 1)
	from := m.offset * (lines - size) / (total - lines)
	return scrollBar{
		thumb: m.scrollCell(m.glyphs.ScrollThumb, m.styles.ScrollThumb),
		track: m.scrollCell(m.glyphs.ScrollTrack, m.styles.ScrollTrack),
		from:  from, to: from + size,
	}
}

func (m *Model) scrollCell(glyph, style string) string {
	p := &m.paint
	p.start("") // the line is on the base already
	p.text([]byte(glyph), 1, Left, m, style)
	if style == "" && m.styles.Base != "" {
		p.reset()
	}
	return string(p.finish(""))
}

func (b *scrollBar) at(y int) string {
	if y >= b.from && y < b.to {
		return b.thumb
	}
	return b.track
}

func (m *Model) drawHeader() {
	p := &m.paint
	p.start(m.styles.Base, m.styles.Header)
	x := 0
	for _, c := range m.placed {
		p.pad(c.x - x)
		m.headerCell(c)
		x = c.x + c.width
	}
	p.rest(m.width-x, m.styles.Blank)
	m.head.take(p, "")
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
