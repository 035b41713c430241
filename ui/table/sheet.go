package table

import (
	"slices"
	"time"
)

// renderer draws a table: the columns of its grid, for the rows of its window. It reuses the drawings
// of unchanged rows.
type renderer struct {
	appearance
	grid
	window

	Marks Marks // the rows that the viewer has marked

	width, height           int
	scrollbar               bool
	focused                 bool
	hidesUnfocusedSelection bool // the selection is visible only while the table has the keyboard focus

	now           time.Time
	flashDuration time.Duration
	flashEnd      int64 // earliest end of a visible flash in Unix nanoseconds; 0 if none

	drawnLines    drawnLines // lines of rows, reused between frames
	redrawVersion uint64     // increases when all rows must be redrawn
	frame         uint64     // number of frames so far
	secondPass    bool       // the rows are being drawn for the second time in this frame
	dirty         bool       // something other than window or Marks has changed since the last frame
	lines         []*line    // all lines of the last frame
	painter       painter
	rowCache      *RowCache // shares drawn rows with other tables; nil: not shared
	layoutIDs     layoutIDs // numbers of the layouts of the lines

	headerLine line // line of the column titles
	emptyLine  line // says why there are no rows
	blankLine  line // an empty line below the last row
}

// hiddenSize is the size of a table when it was hidden, and the time of the table at that moment.
// It is zero if the columns were laid out again afterwards.
type hiddenSize struct {
	width, height, visibleRows int
	at                         time.Time
}

// matches reports whether a hidden table gets the same size again, and the time of the table has not
// changed since it was hidden. The table then still has its layout and its drawn rows.
func (h *hiddenSize) matches(width, height int, now time.Time) bool {
	return h.height != 0 && h.width == width && h.height == height && h.at.Equal(now)
}

// relayout lays out the columns again and drops all drawn rows.
func (s *renderer) relayout() {
	s.placeColumns()
	s.visibleRows = s.bodyLines() / s.linesPerRow()
	s.clampView()
	s.drawnLines.clear()
	s.dirty = true
}

// bodyLines returns the number of lines below the header.
func (s *renderer) bodyLines() int { return max(s.height-1, 0) }

// resetWidths discards the widths of the contents and lays out the columns again.
func (s *renderer) resetWidths() {
	s.widestText = make([]int, len(s.columns))
	s.relayout()
}

// placeColumns determines which columns are visible, and their positions and widths. It reports
// whether any of these has changed.
func (s *renderer) placeColumns() (moved bool) {
	first, second := s.visible.first, s.visible.second
	s.layoutIDs, s.drawnLines.hidden = layoutIDs{}, hiddenSize{}
	left := s.gutterWidth()
	s.placeFirstLine(s.lineWidth()-left, left, s.sortCol, s.arrowWidth(), s.method)
	if s.visible.second = nil; s.twoLines && s.bodyLines() > 1 {
		s.placeSecondLine(s.lineWidth()-left, left, s.method)
	}
	return !slices.Equal(s.visible.first, first) || !slices.Equal(s.visible.second, second)
}

// arrowWidth returns the width of the sort arrow in cells.
func (s *renderer) arrowWidth() int { return TextWidth(s.method, s.glyphs.Asc) }

// sortBy sorts the rows by the column with the index col. The title of this column gets room for
// the sort arrow.
func (s *renderer) sortBy(col int, desc bool) {
	previous := s.sortCol
	s.window.sortBy(col, desc)
	if previous != col && (s.arrowWidth() > 1 || len(s.visible.second) > 0) { // a title has room for a narrow arrow, but the titles on second lines are drawn with the rows
		s.relayout()
	}
}

// gutterWidth returns the number of cells in front of the first column. There is one cell each for
// the cursor, for the marker, and for the sign of a mark, a change or a pin.
func (s *renderer) gutterWidth() int {
	n := 0
	if s.selectable {
		n++
	}
	if s.rowSource != nil {
		n += 2
	}
	return min(n, s.width)
}

// MinWidth returns the width of the table below which columns with a priority of at least priority
// are dropped.
func (s *renderer) MinWidth(priority int) int {
	n := s.gutterWidth()
	if s.scrollbar {
		n += s.glyphs.ScrollGap
	}
	for _, c := range s.columns {
		if c.Priority >= priority {
			n += c.min() + columnGap // the last gap is in front of the scroll bar
		}
	}
	return n
}

func (s *renderer) hasScrollbar() bool {
	return s.scrollbar && s.width > s.gutterWidth()+1+s.glyphs.ScrollGap
}

// draw draws the table if it has changed. It reports whether it drew the table.
func (s *renderer) draw() bool {
	if !s.dirty && !s.moved && !s.Marks.changed && (s.flashEnd == 0 || s.now.UnixNano() < s.flashEnd) {
		return false
	}
	s.dirty, s.moved, s.Marks.changed = false, false, false
	s.composeLines()
	if s.hasCutText {
		// The table is redrawn if a text was cut although there is room beside it. The wanted width
		// of a column only grows until the width of the table changes. Otherwise columns would move
		// whenever a long name appears or disappears.
		s.hasCutText = false
		if s.placeColumns() {
			s.redrawVersion++
			s.secondPass = true
			s.composeLines()
			s.secondPass = false
		}
	}
	return true
}

// composeLines draws the outdated lines and collects all lines of the frame.
func (s *renderer) composeLines() {
	s.frame++
	s.flashEnd = 0

	s.lines = s.lines[:0]
	if s.height > 0 {
		s.drawHeader()
		s.lines = append(s.lines, &s.headerLine)
	}
	lines := s.bodyLines()
	bar := s.newScrollBar(lines)
	if min(len(s.rows), s.visibleRows)*s.linesPerRow() < lines {
		s.drawBlankLines(bar.cellAt(lines))
	}
	for y := range lines {
		s.lines = append(s.lines, s.bodyLine(y, lines, bar.cellAt(y)))
	}
	s.drawnLines.prune(lines, s.frame)
}

// bodyLine returns line y, counted from the line below the header. The line ends in bar, its part
// of the scroll bar. lines is the number of lines below the header.
func (s *renderer) bodyLine(y, lines int, bar string) *line {
	switch index, second := s.rowAt(y); {
	case index < len(s.rows):
		return s.rowLine(index, second, bar)
	case len(s.rows) == 0 && y == lines/3:
		return &s.emptyLine
	}
	return &s.blankLine
}

// drawBlankLines draws the line for unused space. If the table has no rows, it also draws the line
// that says why.
func (s *renderer) drawBlankLines(bar string) {
	p := &s.painter
	p.startLine(s.styles.Base)
	p.fillRest(s.lineWidth(), s.styles.Blank)
	s.blankLine.takeOutput(p, bar)
	if len(s.rows) == 0 {
		p.startLine(s.styles.Base)
		p.writeText([]byte(s.emptyText), s.lineWidth(), Center, &s.appearance, s.styles.EmptyTableText)
		s.emptyLine.takeOutput(p, bar)
	}
}

// lineWidth returns the width of a line without the scroll bar.
func (s *renderer) lineWidth() int {
	if s.hasScrollbar() {
		return s.width - 1 - s.glyphs.ScrollGap
	}
	return s.width
}

// scrollBar holds the cells of the scroll bar. thumb is drawn on the lines [from, to), and track on
// all others. Both are "" if there is no scroll bar.
type scrollBar struct {
	thumb, track string
	from, to     int
}

func (s *renderer) newScrollBar(lines int) scrollBar {
	if !s.hasScrollbar() {
		return scrollBar{}
	}
	total := len(s.rows) * s.linesPerRow()
	if total <= lines || lines == 0 {
		return scrollBar{track: s.scrollCell(" ", s.styles.Blank)}
	}
	size := max(lines*lines/total, 1)
	from := min(s.offset*s.linesPerRow()*(lines-size)/(total-lines), lines-size) // limited, because only a part of the last row may fit
	return scrollBar{
		thumb: s.scrollCell(s.glyphs.ScrollThumb, s.styles.ScrollThumb),
		track: s.scrollCell(s.glyphs.ScrollTrack, s.styles.ScrollTrack),
		from:  from, to: from + size,
	}
}

func (s *renderer) scrollCell(glyph, style string) string {
	p := &s.painter
	p.startLine("") // the line already has the base style
	p.pad(s.glyphs.ScrollGap)
	p.writeText([]byte(glyph), 1, Left, &s.appearance, style)
	if style == "" && s.styles.Base != "" {
		p.resetStyle()
	}
	return string(p.finishLine(""))
}

func (b *scrollBar) cellAt(y int) string {
	if y >= b.from && y < b.to {
		return b.thumb
	}
	return b.track
}

func (s *renderer) drawHeader() {
	p := &s.painter
	p.startLine(s.styles.Base, s.styles.Header)
	x := 0
	for _, c := range s.visible.first {
		p.pad(c.x - x)
		s.drawHeaderCell(c)
		x = c.x + c.width
	}
	p.fillRest(s.width-x, s.styles.Blank)
	s.headerLine.takeOutput(p, "")
}

func (s *renderer) drawHeaderCell(c placedColumn) {
	p, col := &s.painter, s.columns[c.col]
	if c.col != s.sortCol || col.Title == "" { // without a title, the arrow would look like the title
		p.writeText([]byte(col.Title), c.width, col.Align, &s.appearance)
		return
	}
	arrow := s.glyphs.Asc
	if s.sortDesc {
		arrow = s.glyphs.Desc
	}
	title, sign := cleanText(col.Title), min(TextWidth(s.method, arrow), c.width)
	width := min(TextWidth(s.method, title), c.width-sign)
	before, after := splitBlanks(c.width-sign-width, col.Align)
	p.pad(before)
	p.writeText([]byte(title), width, Left, &s.appearance, s.styles.HeaderSorted)
	p.writeText([]byte(arrow), sign, Left, &s.appearance, s.styles.HeaderSorted)
	p.pad(after)
}

// HitTest returns the part of the table at the position (x, y), which is relative to the upper left
// cell of the table.
func (s *renderer) HitTest(x, y int) Hit {
	if x < 0 || y < 0 || x >= s.width || y >= s.height {
		return Hit{Area: HitOutside}
	}
	hit := Hit{Area: HitBlank, Column: s.columnAt(x)}
	if y == 0 {
		if hit.Column != "" {
			hit.Area = HitHeader
		}
		return hit
	}
	y--
	if index, _ := s.rowAt(y); index < len(s.rows) {
		hit.Area, hit.Key = HitRow, s.remembered.keys[s.rows[index]]
	}
	return hit
}
