package table

import (
	"bytes"
	"maps"
	"math"
	"slices"
)

// line is a rendered row with everything needed to check whether it is still valid.
type line struct {
	drawn    []byte
	text     string // drawn as a string, "" until it is needed
	bar      string // the part of the scroll bar at the end of drawn
	version  uint64
	edition  uint64 // edition of the sheet when the row was drawn
	selected bool
	isStray  bool
	marked   bool
	isSecond bool   // the second line of its row
	frame    uint64 // the last frame that contained the line
	shared   bool   // drawn, cells and ends belong to the row cache and are shared

	cells      []byte  // texts of the visible columns, concatenated
	ends       []int   // the end of each text in cells
	flashUntil []int64 // end of each cell's flash in Unix nanoseconds, 0 if none
	flashEnd   int64   // the earliest of flashUntil, or of the news' end if that is earlier; 0 if none
	news       News    // news of the row when it was drawn
}

// takeOutput makes the painter's output the text of this line, followed by a part of the
// scroll bar. They swap buffers.
func (l *line) takeOutput(p *painter, bar string) {
	text, previous := p.finish(bar), l.drawn
	if l.shared {
		previous = nil
	}
	l.drawn, p.out = text, previous
	l.text, l.bar, l.shared = "", bar, false
}

// setBar replaces the line's part of the scroll bar.
func (l *line) setBar(bar string) {
	if l.shared {
		l.drawn = bytes.Clone(l.drawn)
	}
	l.drawn = append(bytes.TrimSuffix(l.drawn, []byte(l.bar)), bar...)
	l.text, l.bar = "", bar
}

// string returns the drawn line, converted once.
func (l *line) string() string {
	if l.text == "" {
		l.text = string(l.drawn)
	}
	return l.text
}

// rowLine returns a line of the row at position index. It draws the line only if it is
// outdated.
func (s *sheet) rowLine(index int, second bool, bar string) *line {
	i := s.rows[index]
	key, version := s.remembered.keys[i], s.source.Version(int(i))
	selected, stray := s.cursorOn && index == s.sel.index && (s.focused || !s.quietSelection), index == s.strayPos
	marked := s.Marks.Has(key)
	l := s.cache.lineOf(key, second)
	now := s.now.UnixNano()
	var news News
	if !second {
		news = s.newsOf(int(i))
	}
	isCurrent := l.drawn != nil && l.version == version && l.edition == s.edition &&
		l.selected == selected && l.isStray == stray && l.marked == marked && l.news.Sign == news.Sign && (l.flashEnd == 0 || now < l.flashEnd)
	if !isCurrent {
		l.version, l.edition, l.selected, l.isStray, l.marked, l.news = version, s.edition, selected, stray, marked, news
		s.redraw(l, int(i), bar, now)
	} else if l.bar != bar {
		l.setBar(bar)
	}
	l.frame = s.frame
	if l.flashEnd != 0 && (s.flashEnd == 0 || l.flashEnd < s.flashEnd) {
		s.flashEnd = l.flashEnd
	}
	return l
}

// redraw sets a line to row i, taken from the row cache or rendered.
func (s *sheet) redraw(l *line, i int, bar string, now int64) {
	key, shared := s.cacheKey(i, l.isSecond)
	shared = shared && l.news.Sign == "" && !l.marked // other tables may have to draw it later
	if shared && s.fetch(l, key, bar, now) {
		return
	}
	s.render(l, i, now)
	l.takeOutput(&s.painter, bar)
	if shared {
		s.store(l, key)
	}
}

// newsOf returns the current news of row i, or else the sign of a pinned row.
func (s *sheet) newsOf(i int) News {
	var n News
	if s.newsSource != nil {
		n = s.newsSource.News(i)
	}
	switch {
	case n.Remaining > 0:
		return n
	case slices.Contains(s.Pinned.keys, s.remembered.keys[i]):
		return News{Sign: s.glyphs.Pin, Remaining: lasting}
	}
	return News{}
}

// lasting is the remaining time of news that never expires.
const lasting = math.MaxInt64

// expireWithNews makes the line expire when its news does.
func (l *line) expireWithNews(now int64) {
	if l.news.Remaining == lasting {
		return
	}
	if end := now + int64(l.news.Remaining); l.news.Sign != "" && (l.flashEnd == 0 || end < l.flashEnd) {
		l.flashEnd = end
	}
}

// wasVisible reports whether a line was part of the previous frame, with the same columns.
func (s *sheet) wasVisible(l *line) bool {
	return l.frame == s.frame-1 && len(l.ends) == len(s.lineColumns(l.isSecond))
}

// render draws row i into the painter. A cell flashes if its text differs from the previous frame.
// Rows that were not in that frame do not flash, and cells that only moved with their column do not
// either.
func (s *sheet) render(l *line, i int, now int64) {
	p := &s.painter
	if s.rowSource != nil {
		p.row.reset(s.lineWidth()-s.gutter(), s.blank != "")
		s.rowSource.Row(i, &p.row)
	}
	overlay := s.overlay(l, p.row.Style != "")
	p.start(s.styles.Base, p.row.Style, overlay)
	s.gutterCells(l)
	if p.row.Text != "" {
		l.ends, l.cells, l.flashEnd = nil, l.cells[:0], 0
		if l.isSecond {
			p.pad(p.row.Width)
			return
		}
		p.rawText([]byte(p.row.Text), p.row.Width, Left, &s.look, overlay)
		return
	}

	seen, columns := s.wasVisible(l), s.lineColumns(l.isSecond)
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
	x, from := s.gutter(), 0
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
		case l.flash(n, changed, now, int64(s.flashDuration)):
			if !l.selected { // a flash would look like a hole in the selection
				mark = s.styles.Flash
			}
		case n == 0 && s.flashDuration > 0 && !l.isSecond:
			mark = l.news.Style
		}
		s.drawCell(c, overlay, mark)
	}
	p.pad(s.lineWidth() - x)
	l.expireWithNews(now)
	previous := l.cells
	if l.shared {
		previous = nil
	}
	l.cells, p.cells = p.cells, previous
}

// flash reports whether cell n is flashing, and starts a flash if it has changed.
func (l *line) flash(n int, changed bool, now, duration int64) bool {
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

// drawCell appends the painter's cell, after its title if it has one on this line. overlay
// overrides the cell's style, newsStyle overrides both.
func (s *sheet) drawCell(c placedColumn, overlay, newsStyle string) {
	p := &s.painter
	if c.labelWidth > 0 {
		style := s.styles.Label
		if c.col == s.sortCol {
			style = s.styles.HeaderSorted
		}
		p.text([]byte(s.columns[c.col].Title), c.labelWidth-gap, Left, &s.look, style, overlay)
		p.pad(gap)
		c.width -= c.labelWidth
		if p.cell.Style == "" {
			p.cell.Style = s.styles.Second
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
		p.text([]byte(s.blank), c.width, align, &s.look, overlay)
		return
	}
	if p.cell.Raw && onlyStyles(p.cell.Text) {
		p.rawText(p.cell.Text, c.width, align, &s.look, p.cell.Style, overlay, newsStyle)
		return
	}
	p.text(p.cell.Text, c.width, align, &s.look, p.cell.Style, overlay, newsStyle)
}

// overlay returns the styles that override the cells of a row. The tint of a row is more important
// than a selection without the keyboard.
func (s *sheet) overlay(l *line, tinted bool) string {
	overlay := ""
	switch {
	case !l.selected || tinted && !s.focused:
	case s.focused:
		overlay = s.styles.Selected
	default:
		overlay = s.styles.SelectedBlurred
	}
	if l.isStray {
		overlay += s.styles.Stray
	}
	return overlay
}

func (s *sheet) gutterCells(l *line) {
	p, available := &s.painter, s.gutter()
	if s.cursorOn && available > 0 {
		if l.selected {
			p.text([]byte(s.glyphs.Cursor), 1, Left, &s.look, s.styles.Cursor)
		} else {
			p.pad(1)
		}
		available--
	}
	if s.rowSource != nil && available > 0 && !l.isSecond {
		p.text([]byte(p.row.Marker), 1, Left, &s.look, p.row.MarkerStyle)
		available--
	}
	switch {
	case available == 0:
	case l.marked && !l.isSecond:
		p.text([]byte(s.glyphs.Mark), 1, Left, &s.look, s.styles.Mark)
		available--
	case l.news.Sign != "":
		style := p.row.MarkerStyle
		if s.flashDuration > 0 {
			style = l.news.Style
		}
		p.text([]byte(l.news.Sign), 1, Left, &s.look, style)
		available--
	}
	p.pad(available)
}

// drawnLines holds the rendered lines by row key.
type drawnLines struct{ first, second map[string]*line }

// lineOf returns a line of a row, creating it if necessary.
func (d *drawnLines) lineOf(key string, second bool) *line {
	lines := d.first
	if second {
		lines = d.second
	}
	l := lines[key]
	if l == nil {
		l = &line{isSecond: second}
		lines[key] = l
	}
	return l
}

func (d *drawnLines) clear() {
	clear(d.first)
	clear(d.second)
}

// prune drops lines that were not in the given frame, once there are more than twice as many
// as are visible.
func (d *drawnLines) prune(visible int, frame uint64) {
	for _, lines := range []map[string]*line{d.first, d.second} {
		if len(lines) > 2*visible {
			maps.DeleteFunc(lines, func(_ string, l *line) bool { return l.frame != frame })
		}
	}
}
