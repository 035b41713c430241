package chart

// cell is one cell of the canvas.
type cell struct {
	dots       dots
	glyph      string // character of the cell; "": the cell shows dots
	style      string
	background string // escape sequence of the background color; "": none
	isFill     bool   // shows the band, possibly on top of an area
	isArea     bool   // part of an area, but not of its edge
}

// drawOver replaces the content of the cell with a glyph in the given style. It keeps the
// background color.
func (c *cell) drawOver(glyph, style string) {
	*c = cell{glyph: glyph, style: style + c.background, background: c.background}
}

func (p Plot) draw(series []Series, w, h int) []cell {
	cells := make([]cell, w*h)
	n := sampleCount(series)
	band := p.bandSpans(w, h)
	p.drawBand(cells, band, w, h)
	for i := len(series) - 1; i >= 0; i-- { // the first series is drawn last, on top of the others
		if s := &series[i]; s.Area != nil {
			sc := valueRange{p.Min, p.Max}
			newAreaFill(p.Set, s.Area).draw(cells, w, h, columnHeights(s.Values, sc, w, h*heightsPerCell(p.Set), columnMapper(len(s.Values), w)))
		}
	}
	p.drawBandOver(cells, band, w, h)
	p.drawTarget(cells, w, h)
	if p.Cursor >= 0 && n > 0 {
		x := p.column(p.Cursor, n)
		for y := range h {
			cells[y*w+x].drawOver(p.glyphOrASCII("│", "|"), p.CursorStyle)
		}
	}
	for i := len(series) - 1; i >= 0; i-- {
		if s := &series[i]; s.Area == nil {
			p.drawSeries(cells, w, h, s)
		}
	}
	if !p.WithGlyphs || p.Set == ASCII || len(series) < 2 {
		return cells
	}
	for i := range series {
		if series[i].Area == nil {
			p.drawGlyphs(cells, w, h, &series[i], i, len(series))
		}
	}
	return cells
}

// columnMapper returns a function that maps the index of a value to the range [from, to) of its
// columns. n values share w columns.
func columnMapper(n, w int) func(int) (from, to int) {
	return func(i int) (from, to int) {
		from = i * w / n
		return from, max((i+1)*w/n, from+1)
	}
}

// lineOf returns the line of the canvas in which the value v is drawn. Line 0 is the lowest of the
// h lines.
func (p Plot) lineOf(v float64, h int) int {
	per := heightsPerCell(p.Set)
	return valueRange{p.Min, p.Max}.step(v, h*per) / per
}

// bandSpans returns the range of the band in each of w columns, in half lines from the bottom. The
// range is empty where a bound is unknown. If there is no band, the result is nil.
func (p Plot) bandSpans(w, h int) []span {
	n := min(len(p.Band.Low), len(p.Band.High))
	if n == 0 {
		return nil
	}
	out := make([]span, w)
	for x := range out {
		out[x] = span{1, 0}
	}
	place, sc, b := columnMapper(n, w), valueRange{p.Min, p.Max}, &p.Band
	for i := range n {
		if !isDrawable(b.Low[i]) || !isDrawable(b.High[i]) {
			continue
		}
		from, to := place(i)
		for x := from; x < min(to, w); x++ {
			out[x] = span{sc.step(b.Low[i], 2*h), sc.step(b.High[i], 2*h)}
		}
	}
	return out
}

// drawBand draws the band as a shade, with a precision of half a line. band holds the range of the
// band in each column.
func (p Plot) drawBand(cells []cell, band []span, w, h int) {
	b := &p.Band
	for x, bandSpan := range band {
		for y := bandSpan.low / 2; y <= bandSpan.high/2 && bandSpan.low <= bandSpan.high; y++ {
			c := &cells[(h-1-y)*w+x]
			switch inLower, inUpper := bandSpan.contains(2*y), bandSpan.contains(2*y+1); {
			case b.Shade.Bg == "":
				*c = cell{glyph: b.Glyph, style: b.Shade.Fg, isFill: true}
			case inLower && inUpper:
				*c = cell{glyph: " ", style: b.Shade.Bg, background: b.Shade.Bg, isFill: true}
			case inLower:
				*c = cell{glyph: lowerHalf, style: b.Shade.Fg, background: b.Shade.Bg, isFill: true}
			default:
				*c = cell{glyph: "▀", style: b.Shade.Fg, background: b.Shade.Bg, isFill: true}
			}
		}
	}
}

// drawBandOver draws the band as a texture on top of areas. band holds the range of the band in
// each column.
func (p Plot) drawBandOver(cells []cell, band []span, w, h int) {
	const onTexture, onShade, inASCII = "▓", "░", "%"
	for x, bandSpan := range band {
		for y := bandSpan.low / 2; y <= bandSpan.high/2 && bandSpan.low <= bandSpan.high; y++ {
			c := &cells[(h-1-y)*w+x]
			if !c.isArea {
				continue
			}
			glyph := onShade
			if c.background == "" {
				glyph = p.glyphOrASCII(onTexture, inASCII)
			}
			c.drawOver(glyph, p.Band.OverAreaStyle)
			c.isFill = true // lets the target line be drawn over it
		}
	}
}

// drawTarget draws the reference line at the target.
func (p Plot) drawTarget(cells []cell, w, h int) {
	if isDrawable(p.Target) && p.Target >= p.Min && p.Target <= p.Max {
		drawReferenceLine(cells[(h-1-p.lineOf(p.Target, h))*w:][:w], p.Set, p.TargetStyle)
	}
}

// edgeInterval is the distance in cells between the characters of a reference line on the flat edge
// of an area. The cells in between show the actual values.
const edgeInterval = 3

// isFlatEdge reports whether cell x of a line and its neighbors are edges of areas.
func isFlatEdge(line []cell, x int) bool {
	for i := max(x-1, 0); i <= min(x+1, len(line)-1); i++ {
		if c := &line[i]; c.glyph == "" || c.isFill || c.isArea {
			return false
		}
	}
	return true
}

// drawReferenceLine draws a reference line over a line of cells. The edges of areas stay visible,
// because the actual values are more important.
func drawReferenceLine(cells []cell, set CharSet, style string) {
	glyph := "╌"
	if set == ASCII {
		glyph = "-"
	}
	for x := range cells {
		c := &cells[x]
		isFree := c.glyph == "" && (set != ASCII || x%2 == 0) // in ASCII only every other cell, because a continuous line of - would look like an edge
		if isFree || c.isFill || c.isArea || x%edgeInterval == 0 && isFlatEdge(cells, x) {
			c.drawOver(glyph, style)
		}
	}
}

// drawSeries draws a series as a line on the canvas, over its present content.
func (p Plot) drawSeries(cells []cell, w, h int, s *Series) {
	if p.Set == ASCII {
		for x, col := range p.columnSpans(s.Values, w, h) {
			for y := col.low; y <= col.high; y++ {
				cells[(h-1-y)*w+x] = cell{glyph: s.Glyph, style: s.Style}
			}
		}
		return
	}
	spans := p.columnSpans(s.Values, w*dotColumns, h*dotRows)
	for y := range h {
		for x := range w {
			d := brailleDots(spans[x*dotColumns:], h*dotRows-1-y*dotRows)
			if d == 0 {
				continue
			}
			c := &cells[y*w+x]
			const textureEdge = "▓" // on a texture, dots would look like holes
			if !p.WithGlyphs && (c.glyph == textureGlyph || c.glyph == textureEdge) {
				*c = cell{glyph: textureEdge, style: s.Style}
				continue
			}
			*c = cell{dots: c.dots | d, style: s.Style + c.background, background: c.background}
		}
	}
}

// columnSpans returns the range of raised dots in each column of dots, for a line that connects the
// values. The range is empty in a column without a value.
func (p Plot) columnSpans(values []float64, cols, rows int) []span {
	out := make([]span, cols)
	for x := range out {
		out[x] = span{rows, -1}
	}
	sc, place := valueRange{p.Min, p.Max}, columnMapper(len(values), cols)
	for i, v := range values {
		if !isDrawable(v) {
			continue
		}
		y := sc.step(v, rows)
		from, to := place(i)
		for x := from; x < min(to, cols); x++ {
			out[x] = span{min(out[x].low, y), max(out[x].high, y)}
		}
	}
	connectSpans(out)
	return out
}

// glyphInterval is the number of cells between two glyphs of any series.
const glyphInterval = 8

// drawGlyphs draws the glyph of a series on its line at regular intervals. Each series has its
// glyphs in different columns: index is the index of the series, total the number of series. A
// glyph is drawn only where the line is flat and in the middle of a cell; elsewhere it would appear
// above or below the line.
func (p Plot) drawGlyphs(cells []cell, w, h int, s *Series, index, total int) {
	spans := p.columnSpans(s.Values, w*dotColumns, h*dotRows)
	next := w - 1 - index*glyphInterval
	for x := next; x >= 0; x-- {
		col := spans[x*dotColumns]
		if x > next || col != spans[x*dotColumns+1] || col.low != col.high {
			continue
		}
		if in := col.low % dotRows; in == 0 || in == dotRows-1 {
			continue
		}
		cells[(h-1-col.low/dotRows)*w+x].drawOver(s.Glyph, s.Style)
		next = x - total*glyphInterval
	}
}

func (p Plot) glyphOrASCII(glyph, ascii string) string {
	if p.Set == ASCII {
		return ascii
	}
	return glyph
}

// appendCells appends a line of the canvas to dst. Adjacent cells of the same style become one
// styled piece.
func appendCells(dst []byte, cells []cell) []byte {
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].style == cells[0].style {
			n++
		}
		run := cells[:n]
		dst = appendStyled(dst, run[0].style, func(dst []byte) []byte {
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
