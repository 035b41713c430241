package chart

import "slices"

// Shade is one step of a gradient, as escape sequences: the colour of what is
// drawn, and the same colour behind what is drawn. "" is the terminal's own.
type Shade struct{ Fg, Bg string }

// Area is a chart of a few lines that is filled below its values. A column shows
// the highest of the values that share it, so that no peak is lost.
type Area struct {
	// Width and Height are in cells.
	Width, Height int
	// Min and Max are the values drawn lowest and highest; if Max is not above
	// Min, they are taken from the values and zero.
	Min, Max float64
	// Set is the characters to draw with; Braille is drawn as Blocks.
	Set Set
	// Shades are those of the area from the bottom to the top, and at last that of
	// its edge. Of one or none there is no gradient: the area is a light texture
	// below its edge, and the edge is solid.
	Shades []Shade
}

// Render returns Height lines of Width cells, the newest value at the right.
func (a Area) Render(values []float64) []string {
	if a.Height <= 0 {
		return nil
	}
	lines := make([]string, a.Height)
	if a.Width <= 0 {
		return lines
	}
	cells := make([]cell, a.Width*a.Height)
	top := tops(values, newScale(a.Min, a.Max, values), a.Width, a.Height*perCell(a.Set), func(i int) (int, int) {
		x := column(i, len(values), a.Width)
		return x, x + 1
	})
	newFilling(a.Set, a.Shades).draw(cells, a.Width, a.Height, top)
	for y := range lines {
		lines[y] = string(appendCells(nil, cells[y*a.Width:(y+1)*a.Width]))
	}
	return lines
}

// perCell is how many heights a cell can show.
func perCell(s Set) int {
	if s == ASCII {
		return 7
	}
	return 8
}

// partOf is a cell that is filled up to a height, which is at least 1.
func partOf(s Set, height int) string {
	levels := levelsOf(s)
	return levels[len(levels)-perCell(s)+height-1]
}

// tops returns how high each of w columns is, of rows; 0 is nothing, so that the
// lowest value has a height. place tells which columns a value is drawn in.
func tops(values []float64, sc scale, w, rows int, place func(int) (from, to int)) []int {
	out := make([]int, w)
	for i, v := range values {
		if !known(v) {
			continue
		}
		y := sc.step(v, rows) + 1
		from, to := place(i)
		for x := max(from, 0); x < min(to, w); x++ {
			out[x] = max(out[x], y)
		}
	}
	return out
}

// filling fills areas.
type filling struct {
	set    Set
	shades []Shade
}

// newFilling fills with shades. With ASCII no colour lies behind a sign: it stands for how
// full a cell is, and fills none of it. In the dark shades it could not be read.
func newFilling(set Set, shades []Shade) filling {
	if set == ASCII {
		shades = slices.Clone(shades)
		for i := range shades {
			shades[i] = Shade{Fg: shades[len(shades)-1].Fg}
		}
	}
	return filling{set, shades}
}

// lowerHalf is a cell that is shaded in its lower half only.
const lowerHalf = "▄"

// edge is how thick the edge of an area is at least, in eighths of a cell.
const edge = 3

// draw fills the columns up to their heights.
func (f filling) draw(cells []cell, w, h int, top []int) {
	per := perCell(f.set)
	line := Shade{}
	if n := len(f.shades); n > 0 {
		line = f.shades[n-1]
	}
	for x, height := range top {
		if height == 0 {
			continue
		}
		last := (height - 1) / per
		for y := range last {
			sh := f.at(y, h)
			cells[(h-1-y)*w+x] = cell{glyph: f.body(), style: sh.Fg, behind: sh.Bg, ground: true}
		}
		part := height - last*per
		top := &cells[(h-1-last)*w+x]
		over := top.behind // what is seen above the edge
		if top.glyph == lowerHalf {
			over = ""
		}
		*top = cell{glyph: partOf(f.set, part), style: line.Fg + over, behind: over}
		if 2*part >= per {
			top.behind = f.at(last, h).Bg
		}
		if below := &cells[min(h-last, h-1)*w+x]; part < edge && last > 0 && line.Bg != "" {
			below.glyph, below.style, below.ground = partOf(f.set, per-edge+part), f.at(last-1, h).Fg+line.Bg, false
		}
	}
}

// texture fills an area that has no gradient.
const texture = "▒"

// body is what fills a cell below the edge.
func (f filling) body() string {
	if f.set != ASCII && len(f.shades) < 2 {
		return texture // a solid one would hide its edge
	}
	return partOf(f.set, perCell(f.set))
}

// at is the shade of line y of h, from the bottom.
func (f filling) at(y, h int) Shade {
	switch n := len(f.shades) - 1; {
	case n < 0:
		return Shade{}
	case n == 0 || h < 2:
		return f.shades[max(n-1, 0)]
	default:
		return f.shades[y*(n-1)/(h-1)]
	}
}
