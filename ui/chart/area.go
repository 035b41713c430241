package chart

import "slices"

// Shade is one step of a gradient: the escape sequences for a foreground and a background of the
// same color. The empty string means the terminal's own color.
type Shade struct{ Fg, Bg string }

// Area is a chart in which the area below the values is filled. If a column represents several
// values, it shows the highest, so that no peak is lost.
type Area struct {
	// Width and Height are the size of the chart in cells and lines.
	Width, Height int
	// Min is the value at the bottom and Max the value at the top. If Max is not above Min, the
	// chart instead shows the range of the values, including zero.
	Min, Max float64
	// Set is the character set. Braille is drawn like Blocks.
	Set CharSet
	// Shades are the shades of the area from the bottom to the top, followed by the shade of the
	// edge of the area. With fewer than two shades there is no gradient: the area is a light
	// texture below a solid edge.
	Shades []Shade
	// Targets are values at which a reference line is drawn in the style TargetStyle, if they are
	// between Min and Max. If Height is 1, a reference line would look like a value, so the columns
	// with only values below the first target are drawn in BelowTargetStyle instead.
	Targets          []float64
	TargetStyle      string
	BelowTargetStyle string
}

// Render returns the chart as Height lines of Width cells. The last value is the newest and is
// drawn at the right.
func (a Area) Render(values []float64) []string {
	if a.Height <= 0 {
		return nil
	}
	lines := make([]string, a.Height)
	if a.Width <= 0 {
		return lines
	}
	cells := make([]cell, a.Width*a.Height)
	scale, per := newValueRange(a.Min, a.Max, values), heightsPerCell(a.Set)
	top := columnHeights(values, scale, a.Width, a.Height*per, func(i int) (int, int) {
		x := column(i, len(values), a.Width)
		return x, x + 1
	})
	newAreaFill(a.Set, a.Shades).draw(cells, a.Width, a.Height, top)
	if a.Height == 1 && len(a.Targets) > 0 {
		met := make([]bool, a.Width)
		for i, v := range values {
			if v >= a.Targets[0] {
				met[column(i, len(values), a.Width)] = true
			}
		}
		for x := range cells {
			if top[x] > 0 && !met[x] {
				cells[x].style = a.BelowTargetStyle
			}
		}
		a.Targets = nil
	}
	for _, v := range a.Targets {
		if v >= a.Min && v <= a.Max {
			drawReferenceLine(cells[(a.Height-1-scale.step(v, a.Height*per)/per)*a.Width:][:a.Width], a.Set, a.TargetStyle)
		}
	}
	for y := range lines {
		lines[y] = string(appendCells(nil, cells[y*a.Width:(y+1)*a.Width]))
	}
	return lines
}

// heightsPerCell returns the number of fill heights that a single cell can show.
func heightsPerCell(s CharSet) int {
	if s == ASCII {
		return 7
	}
	return 8
}

// filledCell returns the character of a cell that is filled from the bottom to height, which is
// between 1 and heightsPerCell(s).
func filledCell(s CharSet, height int) string {
	levels := levelChars(s)
	return levels[len(levels)-heightsPerCell(s)+height-1]
}

// columnHeights returns the heights of w columns. A height is between 1, for the lowest value, and
// rows, or 0 in a column without a value. columnsOf returns the range [from, to) of the columns for
// the value with the given index.
func columnHeights(values []float64, sc valueRange, w, rows int, columnsOf func(int) (from, to int)) []int {
	out := make([]int, w)
	for i, v := range values {
		if !isDrawable(v) {
			continue
		}
		y := sc.step(v, rows) + 1
		from, to := columnsOf(i)
		for x := max(from, 0); x < min(to, w); x++ {
			out[x] = max(out[x], y)
		}
	}
	return out
}

// areaFill draws areas in the shades described at [Area.Shades].
type areaFill struct {
	set    CharSet
	shades []Shade
}

// newAreaFill returns an areaFill for shades. In ASCII, cells have no background color: their
// character shows how full they are, and would be unreadable on dark shades.
func newAreaFill(set CharSet, shades []Shade) areaFill {
	if set == ASCII {
		shades = slices.Clone(shades)
		for i := range shades {
			shades[i] = Shade{Fg: shades[len(shades)-1].Fg}
		}
	}
	return areaFill{set, shades}
}

// lowerHalf is the character whose lower half is filled.
const lowerHalf = "▄"

// minEdgeThickness is the minimum thickness of the edge of an area, in eighths of a cell.
const minEdgeThickness = 3

// draw fills the columns of a canvas of w cells and h lines. top holds the height of each column,
// as returned by columnHeights.
func (f areaFill) draw(cells []cell, w, h int, top []int) {
	per := heightsPerCell(f.set)
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
			sh := f.shadeAt(y, h)
			cells[(h-1-y)*w+x] = cell{glyph: f.innerFill(), style: sh.Fg, background: sh.Bg, isArea: true}
		}
		part := height - last*per
		top := &cells[(h-1-last)*w+x]
		edgeBackground := top.background // the color that is visible above the edge of the area
		if top.glyph == lowerHalf {
			edgeBackground = ""
		}
		*top = cell{glyph: filledCell(f.set, part), style: line.Fg + edgeBackground, background: edgeBackground}
		if 2*part >= per {
			top.background = f.shadeAt(last, h).Bg
		}
		if below := &cells[min(h-last, h-1)*w+x]; part < minEdgeThickness && last > 0 && line.Bg != "" {
			below.glyph, below.style, below.isArea = filledCell(f.set, per-minEdgeThickness+part), f.shadeAt(last-1, h).Fg+line.Bg, false
		}
	}
}

// textureGlyph fills an area without a gradient.
const textureGlyph = "▒"

// innerFill returns the character of a cell that is entirely below the edge of the area.
func (f areaFill) innerFill() string {
	if f.set != ASCII && len(f.shades) < 2 {
		return textureGlyph // a solid fill would make the edge invisible
	}
	return filledCell(f.set, heightsPerCell(f.set))
}

// shadeAt returns the shade of line y of an area of h lines. Line 0 is at the bottom.
func (f areaFill) shadeAt(y, h int) Shade {
	switch n := len(f.shades) - 1; {
	case n < 0:
		return Shade{}
	case n == 0 || h < 2:
		return f.shades[max(n-1, 0)]
	default:
		return f.shades[y*(n-1)/(h-1)]
	}
}
