package chart

// cell is a character of the canvas.
type cell struct {
	dots   dots
	glyph  string // replaces the dots
	style  string
	behind string // background color of the cell
	ground bool   // part of an area or a band, but not of an area's edge
}

// over draws a glyph on the background of the cell.
func (c *cell) over(glyph, style string) {
	*c = cell{glyph: glyph, style: style + c.behind, behind: c.behind}
}

func (p Plot) draw(series []Series, w, h int) []cell {
	cells := make([]cell, w*h)
	n := samplesOf(series)
	p.drawBand(cells, p.bandSpans(w, h), w, h)
	for i := len(series) - 1; i >= 0; i-- { // the first one is on top
		if s := &series[i]; s.Area != nil {
			sc := scale{p.Min, p.Max}
			newFilling(p.Set, s.Area).draw(cells, w, h, tops(s.Values, sc, w, h*perCell(p.Set), spread(len(s.Values), w)))
		}
	}
	p.drawTarget(cells, w, h)
	if p.Cursor >= 0 && n > 0 {
		x := p.column(p.Cursor, n)
		for y := range h {
			cells[y*w+x].over(p.pick("│", "|"), p.CursorStyle)
		}
	}
	for i := len(series) - 1; i >= 0; i-- {
		if s := &series[i]; s.Area == nil {
			p.drawSeries(cells, w, h, s)
		}
	}
	if !p.Marked || p.Set == ASCII || len(series) < 2 {
		return cells
	}
	for i := range series {
		if series[i].Area == nil {
			p.mark(cells, w, h, &series[i], i, len(series))
		}
	}
	return cells
}

// spread returns a function that maps each of n values to its columns, so that all
// together take the whole width.
func spread(n, w int) func(int) (from, to int) {
	return func(i int) (from, to int) {
		from = i * w / n
		return from, max((i+1)*w/n, from+1)
	}
}

// row returns the line of a value, out of h, from the bottom.
func (p Plot) row(v float64, h int) int {
	per := perCell(p.Set)
	return scale{p.Min, p.Max}.step(v, h*per) / per
}

// bandSpans returns the range of the band in each column, in half lines from the
// bottom.
func (p Plot) bandSpans(w, h int) []span {
	n := min(len(p.Band.Low), len(p.Band.High))
	if n == 0 {
		return nil
	}
	out := make([]span, w)
	for x := range out {
		out[x] = span{1, 0}
	}
	place, sc, b := spread(n, w), scale{p.Min, p.Max}, &p.Band
	for i := range n {
		if !known(b.Low[i]) || !known(b.High[i]) {
			continue
		}
		from, to := place(i)
		for x := from; x < min(to, w); x++ {
			out[x] = span{sc.step(b.Low[i], 2*h), sc.step(b.High[i], 2*h)}
		}
	}
	return out
}

// drawBand shades the area between the two ends of the band, to half a line.
func (p Plot) drawBand(cells []cell, band []span, w, h int) {
	b := &p.Band
	for x, is := range band {
		for y := is.low / 2; y <= is.high/2 && is.low <= is.high; y++ {
			c := &cells[(h-1-y)*w+x]
			switch under, upper := is.has(2*y), is.has(2*y+1); {
			case b.Shade.Bg == "":
				*c = cell{glyph: b.Glyph, style: b.Shade.Fg, ground: true}
			case under && upper:
				*c = cell{glyph: " ", style: b.Shade.Bg, behind: b.Shade.Bg, ground: true}
			case under:
				*c = cell{glyph: lowerHalf, style: b.Shade.Fg, behind: b.Shade.Bg, ground: true}
			default:
				*c = cell{glyph: "▀", style: b.Shade.Fg, behind: b.Shade.Bg, ground: true}
			}
		}
	}
}

// drawTarget draws the target, but not over the edge of an area, because actual values
// are more important.
func (p Plot) drawTarget(cells []cell, w, h int) {
	if !known(p.Target) || p.Target < p.Min || p.Target > p.Max {
		return
	}
	y := h - 1 - p.row(p.Target, h)
	for x := range w {
		c := &cells[y*w+x]
		free := c.glyph == "" && (p.Set != ASCII || x%2 == 0) // a continuous line of - would look like an edge
		if free || c.ground {
			c.over(p.pick("╌", "-"), p.TargetStyle)
		}
	}
}

// drawSeries draws a line over the existing contents.
func (p Plot) drawSeries(cells []cell, w, h int, s *Series) {
	if p.Set == ASCII {
		for x, col := range p.spans(s.Values, w, h) {
			for y := col.low; y <= col.high; y++ {
				cells[(h-1-y)*w+x] = cell{glyph: s.Glyph, style: s.Style}
			}
		}
		return
	}
	spans := p.spans(s.Values, w*dotColumns, h*dotRows)
	for y := range h {
		for x := range w {
			d := brailleDots(spans[x*dotColumns:], h*dotRows-1-y*dotRows)
			if d == 0 {
				continue
			}
			c := &cells[y*w+x]
			const lined = "▓" // dots would look like a hole in a texture
			if !p.Marked && (c.glyph == texture || c.glyph == lined) {
				*c = cell{glyph: lined, style: s.Style}
				continue
			}
			*c = cell{dots: c.dots | d, style: s.Style + c.behind, behind: c.behind}
		}
	}
}

// spans returns the dots of each column.
func (p Plot) spans(values []float64, cols, rows int) []span {
	out := make([]span, cols)
	for x := range out {
		out[x] = span{rows, -1}
	}
	sc, place := scale{p.Min, p.Max}, spread(len(values), cols)
	for i, v := range values {
		if !known(v) {
			continue
		}
		y := sc.step(v, rows)
		from, to := place(i)
		for x := from; x < min(to, cols); x++ {
			out[x] = span{min(out[x].low, y), max(out[x].high, y)}
		}
	}
	join(out)
	return out
}

// markEvery is the number of cells between two glyphs of all series together.
const markEvery = 8

// mark puts a series' glyph on its line at intervals, apart from those of other series:
// only where the line is flat in the middle of a cell, because elsewhere a glyph would
// float above or below it.
func (p Plot) mark(cells []cell, w, h int, s *Series, at, of int) {
	spans := p.spans(s.Values, w*dotColumns, h*dotRows)
	next := w - 1 - at*markEvery
	for x := next; x >= 0; x-- {
		col := spans[x*dotColumns]
		if x > next || col != spans[x*dotColumns+1] || col.low != col.high {
			continue
		}
		if in := col.low % dotRows; in == 0 || in == dotRows-1 {
			continue
		}
		cells[(h-1-col.low/dotRows)*w+x].over(s.Glyph, s.Style)
		next = x - of*markEvery
	}
}

func (p Plot) pick(glyph, ascii string) string {
	if p.Set == ASCII {
		return ascii
	}
	return glyph
}

// appendCells appends a line of the canvas, with one styled piece for each run of equal
// style.
func appendCells(dst []byte, cells []cell) []byte {
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].style == cells[0].style {
			n++
		}
		run := cells[:n]
		dst = styled(dst, run[0].style, func(dst []byte) []byte {
			for i := range run {
				if g := run[i].glyph; g != "" {
					dst = append(dst, g...)
				} else {
					dst = run[i].dots.append(dst)
				}
			}
			return dst
		})
		cells = cells[n:]
	}
	return dst
}
