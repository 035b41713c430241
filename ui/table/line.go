package table

import (
	"bytes"
	"maps"
	"math"
	"slices"
)

// line is a drawn line of a row, together with the values that determine whether the drawing is
// still valid.
type line struct {
	drawn         []byte
	text          string // drawn as a string; "" until the string is needed
	bar           string // part of the scroll bar at the end of drawn
	version       uint64
	redrawVersion uint64 // redrawVersion of the renderer when the line was drawn
	selected      bool
	isUnmatched   bool
	marked        bool
	isSecondLine  bool   // the line is the second line of its row
	frame         uint64 // number of the last frame that contained the line
	shared        bool   // drawn, cells and ends belong to the row cache and must not be changed

	cells      []byte     // texts of the visible columns, concatenated
	ends       []int      // end of each column's text in cells
	flashUntil []int64    // end of each cell's flash in Unix nanoseconds; 0 if it does not flash
	flashEnd   int64      // earliest time in flashUntil, or the end of changeSign if that is earlier; 0 if none
	changeSign ChangeSign // sign of the row when the line was drawn
}

// takeOutput makes the output of the painter, followed by bar, the drawing of this line. bar is a
// part of the scroll bar. The line and the painter swap buffers, so no memory is allocated.
func (l *line) takeOutput(p *painter, bar string) {
	text, previous := p.finishLine(bar), l.drawn
	if l.shared {
		previous = nil
	}
	l.drawn, p.out = text, previous
	l.text, l.bar, l.shared = "", bar, false
}

// setBar replaces the part of the scroll bar at the end of the line with bar.
func (l *line) setBar(bar string) {
	if l.shared {
		l.drawn = bytes.Clone(l.drawn)
	}
	l.drawn = append(bytes.TrimSuffix(l.drawn, []byte(l.bar)), bar...)
	l.text, l.bar = "", bar
}

// string returns the drawn line as a string. It converts each drawing at most once.
func (l *line) string() string {
	if l.text == "" {
		l.text = string(l.drawn)
	}
	return l.text
}

// rowLine returns the first or the second line of the row at position index. The line ends in bar,
// its part of the scroll bar. rowLine draws the line again only if it is outdated.
func (s *renderer) rowLine(index int, second bool, bar string) *line {
	i := s.rows[index]
	key, version := s.remembered.keys[i], s.source.Version(int(i))
	selected, stray := s.selectable && index == s.selection.index && (s.focused || !s.hidesUnfocusedSelection), index == s.unmatchedPos
	marked := s.Marks.Has(key)
	l := s.drawnLines.lineOf(key, second)
	now := s.now.UnixNano()
	var news ChangeSign
	if !second {
		news = s.changeSignOf(int(i))
	}
	isCurrent := l.drawn != nil && l.version == version && l.redrawVersion == s.redrawVersion &&
		l.selected == selected && l.isUnmatched == stray && l.marked == marked && l.changeSign.Text == news.Text && (l.flashEnd == 0 || now < l.flashEnd)
	if !isCurrent {
		l.version, l.redrawVersion, l.selected, l.isUnmatched, l.marked, l.changeSign = version, s.redrawVersion, selected, stray, marked, news
		s.redrawLine(l, int(i), bar, now)
	} else if l.bar != bar {
		l.setBar(bar)
	}
	l.frame = s.frame
	if l.flashEnd != 0 && (s.flashEnd == 0 || l.flashEnd < s.flashEnd) {
		s.flashEnd = l.flashEnd
	}
	return l
}

// redrawLine makes l show row i. It takes the drawing from the row cache or, if the cache has no
// suitable drawing, draws the row.
func (s *renderer) redrawLine(l *line, i int, bar string, now int64) {
	key, shared := s.cacheKey(i, l.isSecondLine)
	shared = shared && l.changeSign.Text == "" && !l.marked // the key does not contain change signs and marks
	if shared && s.takeFromCache(l, key, bar, now) {
		return
	}
	s.drawRow(l, i, now)
	l.takeOutput(&s.painter, bar)
	if shared {
		s.addToCache(l, key)
	}
}

// changeSignOf returns the current change sign of row i. For a pinned row without one, it returns
// the sign of pinned rows.
func (s *renderer) changeSignOf(i int) ChangeSign {
	var n ChangeSign
	if s.changeSignSource != nil {
		n = s.changeSignSource.ChangeSign(i)
	}
	switch {
	case n.Remaining > 0:
		return n
	case slices.Contains(s.Pinned.keys, s.remembered.keys[i]):
		return ChangeSign{Text: s.glyphs.Pin, Remaining: neverExpires}
	}
	return ChangeSign{}
}

// neverExpires is the remaining time of a sign that does not disappear.
const neverExpires = math.MaxInt64

// expireWithSign makes the drawing of the line expire no later than its change sign.
func (l *line) expireWithSign(now int64) {
	if l.changeSign.Remaining == neverExpires {
		return
	}
	if end := now + int64(l.changeSign.Remaining); l.changeSign.Text != "" && (l.flashEnd == 0 || end < l.flashEnd) {
		l.flashEnd = end
	}
}

// wasVisible reports whether a line was part of the previous frame, with the same number of columns.
func (s *renderer) wasVisible(l *line) bool {
	return l.frame == s.frame-1 && len(l.ends) == len(s.lineColumns(l.isSecondLine))
}

// drawRow draws a line of row i with the painter. A cell flashes if its text has changed since the previous
// frame, unless the column has NoFlash, the row was not in that frame, or the row is drawn a second time.
func (s *renderer) drawRow(l *line, i int, now int64) {
	p := &s.painter
	if s.rowSource != nil {
		p.row.reset(s.lineWidth()-s.gutterWidth(), s.blank != "")
		s.rowSource.Row(i, &p.row)
	}
	overlay := s.overlayStyle(l, p.row.Style != "")
	p.startLine(s.styles.Base, p.row.Style, overlay)
	s.drawGutter(l)
	if p.row.Text != "" {
		l.ends, l.cells, l.flashEnd = nil, l.cells[:0], 0
		if l.isSecondLine {
			p.pad(p.row.Width)
			return
		}
		p.writeRawText([]byte(p.row.Text), p.row.Width, Left, &s.appearance, overlay)
		return
	}

	seen, columns := s.wasVisible(l), s.lineColumns(l.isSecondLine)
	switch {
	case !seen:
		l.ends = make([]int, len(columns))
	case l.shared:
		l.ends = slices.Clone(l.ends)
	}
	if !seen || len(l.flashUntil) != len(columns) {
		l.flashUntil = make([]int64, len(columns))
	}
	l.flashEnd, p.cells, p.wantedWidths = 0, p.cells[:0], p.wantedWidths[:0]
	x, from := s.gutterWidth(), 0
	for n, c := range columns {
		p.pad(c.x - x)
		x = c.x + c.width
		p.cell.reset(c.width - c.labelWidth)
		s.source.Cell(i, c.col, &p.cell)
		want := s.wantedWidth(c, &p.cell, s.method)
		p.wantedWidths = append(p.wantedWidths, want)
		s.recordWidth(c, want, s.method)

		to := l.ends[n]
		changed := seen && !s.secondPass && !s.columns[c.col].NoFlash && !bytes.Equal(l.cells[from:to], p.cell.Text)
		p.cells = append(p.cells, p.cell.Text...)
		from, l.ends[n] = to, len(p.cells)
		mark := ""
		switch {
		case l.updateFlash(n, changed, now, int64(s.flashDuration)):
			if !l.selected { // in the selected row, a flash would look like a hole
				mark = s.styles.Flash
			}
		case n == 0 && s.flashDuration > 0 && !l.isSecondLine:
			mark = l.changeSign.Style
		}
		s.drawCell(c, overlay, mark)
	}
	p.pad(s.lineWidth() - x)
	l.expireWithSign(now)
	previous := l.cells
	if l.shared {
		previous = nil
	}
	l.cells, p.cells = p.cells, previous
}

// updateFlash reports whether cell n is flashing at the time now. If changed is true, it first
// starts a flash of the given duration.
func (l *line) updateFlash(n int, changed bool, now, duration int64) bool {
	if changed {
		l.flashUntil[n] = now + duration
	}
	if duration <= 0 || l.flashUntil[n] == 0 || l.flashUntil[n] <= now {
		l.flashUntil[n] = 0
		return false
	}
	if l.flashEnd == 0 || l.flashUntil[n] < l.flashEnd {
		l.flashEnd = l.flashUntil[n]
	}
	return true
}

// drawCell draws the painter's cell. On the second line of a row, the title of the column precedes
// the cell. overlay takes precedence over the style of the cell, and newsStyle over both.
func (s *renderer) drawCell(c placedColumn, overlay, newsStyle string) {
	p := &s.painter
	if c.labelWidth > 0 {
		style := s.styles.Label
		if c.col == s.sortCol {
			style = s.styles.HeaderSorted
		}
		p.writeText([]byte(s.columns[c.col].Title), c.labelWidth-columnGap, Left, &s.appearance, style, overlay)
		p.pad(columnGap)
		c.width -= c.labelWidth
		if p.cell.Style == "" {
			p.cell.Style = s.styles.SecondLine
		}
	}
	align := p.cell.Align
	if align == AlignDefault {
		align = s.columns[c.col].Align
	}
	if p.cell.Style == "" {
		overlay = "" // already active for the whole row
	}
	if s.blank != "" && (align == Right && len(p.cell.Text) > 0 || s.columns[c.col].Momentary) {
		p.writeText([]byte(s.blank), c.width, align, &s.appearance, overlay)
		return
	}
	if p.cell.HasEscapes && onlyStyles(p.cell.Text) {
		p.writeRawText(p.cell.Text, c.width, align, &s.appearance, p.cell.Style, overlay, newsStyle)
		return
	}
	p.writeText(p.cell.Text, c.width, align, &s.appearance, p.cell.Style, overlay, newsStyle)
}

// overlayStyle returns the style that takes precedence over the styles of a row's cells. In a
// tinted row, the selection does not override the tint unless the table has the keyboard focus.
func (s *renderer) overlayStyle(l *line, tinted bool) string {
	overlay := ""
	switch {
	case !l.selected || tinted && !s.focused:
	case s.focused:
		overlay = s.styles.Selected
	default:
		overlay = s.styles.SelectedBlurred
	}
	if l.isUnmatched {
		overlay += s.styles.Unmatched
	}
	return overlay
}

func (s *renderer) drawGutter(l *line) {
	p, available := &s.painter, s.gutterWidth()
	if s.selectable && available > 0 {
		if l.selected && s.focused {
			p.writeText([]byte(s.glyphs.Cursor), 1, Left, &s.appearance, s.styles.Cursor)
		} else {
			p.pad(1)
		}
		available--
	}
	if s.rowSource != nil && available > 0 && !l.isSecondLine {
		p.writeText([]byte(p.row.Marker), 1, Left, &s.appearance, p.row.MarkerStyle)
		available--
	}
	switch {
	case available == 0:
	case l.marked && !l.isSecondLine:
		p.writeText([]byte(s.glyphs.Mark), 1, Left, &s.appearance, s.styles.Mark)
		available--
	case l.changeSign.Text != "":
		style := p.row.MarkerStyle
		if s.flashDuration > 0 {
			style = l.changeSign.Style
		}
		p.writeText([]byte(l.changeSign.Text), 1, Left, &s.appearance, style)
		available--
	}
	p.pad(available)
}

// drawnLines holds the drawn lines of rows by row key.
type drawnLines struct {
	first, second map[string]*line
	hidden        hiddenSize // size of the table before it was hidden
}

// lineOf returns the first or the second line of the row with the given key. If there is no such
// line, lineOf creates it.
func (d *drawnLines) lineOf(key string, second bool) *line {
	lines := d.first
	if second {
		lines = d.second
	}
	l := lines[key]
	if l == nil {
		l = &line{isSecondLine: second}
		lines[key] = l
	}
	return l
}

func (d *drawnLines) clear() {
	clear(d.first)
	clear(d.second)
}

// prune drops the lines that were not in the given frame, if there are more than twice as many
// lines as visible ones.
func (d *drawnLines) prune(visible int, frame uint64) {
	for _, lines := range []map[string]*line{d.first, d.second} {
		if len(lines) > 2*visible {
			maps.DeleteFunc(lines, func(_ string, l *line) bool { return l.frame != frame })
		}
	}
}
