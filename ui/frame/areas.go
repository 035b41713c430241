package frame

import "slices"

// PaneLayout holds the properties of a pane that affect the layout.
type PaneLayout struct {
	Weight       int // share of the width of the row; 0 means 1
	DropPriority int // the pane with the highest value is omitted first; among equals, the last one
}

// Area is the area of a pane on the screen, without its heading.
type Area struct{ X, Y, W, H int }

// Contains reports whether the screen position x, y is inside the area.
func (a Area) Contains(x, y int) bool { return x >= a.X && x < a.X+a.W && y >= a.Y && y < a.Y+a.H }

// Gutter is the number of cells between panes that are side by side.
const Gutter = 2

// Row holds the properties of a row of panes that affect the layout.
type Row struct {
	Weight    int // share of the remaining height of the page; 0 means 1
	HeadLines int // number of lines above the panes
	Blocks    []PaneLayout
}

// SplitPanes returns the area of every pane on a page of w cells and h lines, relative to the top left
// corner. A pane that does not fit gets an empty area, but at least one pane is always placed. If an
// important pane is too tall, a shorter, less important one may take its place.
//
// want returns the size that a pane needs in a row of w cells. Its arguments row and index give the
// position of the pane. The result of SplitPanes depends only on its arguments, so that equal
// screens look the same.
func SplitPanes(rows []Row, w, h int, want func(row, index, w int) SizeHint) [][]Area {
	shown := make([][]bool, len(rows))
	left := 0
	for i := range rows {
		shown[i] = make([]bool, len(rows[i].Blocks))
		for j := range shown[i] {
			shown[i][j] = true
			left++
		}
	}
	out, row := placePanes(rows, shown, w, h, want)
	var omitted [][2]int
	for ; row != placementFits && left > 1; left-- {
		i, j := leastImportant(rows, shown, row)
		shown[i][j] = false
		omitted = append(omitted, [2]int{i, j})
		out, row = placePanes(rows, shown, w, h, want)
	}
	for _, pane := range slices.Backward(omitted) {
		i, j := pane[0], pane[1]
		shown[i][j] = true
		if again, row := placePanes(rows, shown, w, h, want); row == placementFits {
			out = again
		} else {
			shown[i][j] = false
		}
	}
	return out
}

// Results of placePanes other than the index of a row.
const (
	placementFits    = -1
	placementTooHigh = -2
)

// leastImportant returns the position of the shown pane that must be omitted first. It searches the
// row narrowRow, or all rows if narrowRow is negative.
func leastImportant(rows []Row, shown [][]bool, narrowRow int) (row, index int) {
	row = -1
	for i := range rows {
		if narrowRow >= 0 && i != narrowRow {
			continue
		}
		for j, enabled := range shown[i] {
			if enabled && (row < 0 || rows[i].Blocks[j].DropPriority >= rows[row].Blocks[index].DropPriority) {
				row, index = i, j
			}
		}
	}
	return row, index
}

// placePanes lays out the shown panes and returns their areas. The int result is placementFits,
// placementTooHigh, or the index of a row that is too narrow for its panes.
func placePanes(rows []Row, shown [][]bool, w, h int, want func(row, index, w int) SizeHint) ([][]Area, int) {
	out := make([][]Area, len(rows))
	narrow := placementFits
	needs := make([]rowRequirement, len(rows))
	for i := range rows {
		out[i] = make([]Area, len(rows[i].Blocks))
		widths, ok := rows[i].widths(shown[i], w, func(index int) int { return want(i, index, w).MinWidth })
		if !ok {
			narrow = i
		}
		x := 0
		for j, enabled := range shown[i] {
			if !enabled {
				continue
			}
			out[i][j].X, out[i][j].W = x, widths[j]
			x += widths[j] + Gutter
			needs[i].add(want(i, j, widths[j]))
		}
		needs[i].weight, needs[i].headLines = max(rows[i].Weight, 1), rows[i].HeadLines
	}
	heights, ok := rowHeights(needs, h)
	y := 0
	for i := range rows {
		for j, enabled := range shown[i] {
			if enabled {
				out[i][j].Y, out[i][j].H = min(y+needs[i].headLines, h), max(heights[i]-needs[i].headLines, 0)
			}
		}
		y += heights[i]
	}
	switch {
	case narrow >= 0:
		return out, narrow
	case !ok:
		return out, placementTooHigh
	}
	return out, placementFits
}

// widths distributes w cells among the shown panes of a row. minWidth returns the width that a pane
// needs. ok is false if a pane gets less than it needs.
func (r *Row) widths(shown []bool, w int, minWidth func(int) int) (out []int, ok bool) {
	out = make([]int, len(r.Blocks))
	n := 0
	for _, enabled := range shown {
		if enabled {
			n++
		}
	}
	if n == 0 {
		return out, true
	}
	open := slices.Clone(shown)
	rest := max(w-Gutter*(n-1), 0)
	for { // repeats until each pane has the width that it needs
		weights := make([]int, len(open))
		for j, enabled := range open {
			if enabled {
				weights[j] = max(r.Blocks[j].Weight, 1)
			}
		}
		distributeByWeight(out, weights, rest)
		again := false
		for j, enabled := range open {
			if enabled && out[j] < minWidth(j) && sumInts(weights) > weights[j] {
				out[j], open[j], again = min(minWidth(j), rest), false, true
				rest -= out[j]
				break
			}
		}
		if !again {
			break
		}
	}
	ok = true
	for j, enabled := range shown {
		ok = ok && (!enabled || out[j] >= minWidth(j))
	}
	return out, ok
}

// distributeByWeight divides total in proportion to weights and stores the parts, whose sum is
// total, in out. Elements with a weight of 0 do not change.
func distributeByWeight(out, weights []int, total int) {
	all, upTo, given := sumInts(weights), 0, 0
	for j, weight := range weights {
		if weight == 0 {
			continue
		}
		upTo += weight
		next := total * upTo / all
		out[j], given = next-given, next
	}
}

func sumInts(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}

// rowRequirement is the height that a row needs.
type rowRequirement struct {
	SizeHint

	weight     int
	headLines  int  // number of lines above the panes
	hasContent bool // at least one pane is shown
	canGrow    bool // at least one pane can use any height
}

// add adds the needs of a pane to those of its row.
func (n *rowRequirement) add(r SizeHint) {
	n.hasContent = true
	n.MinHeight, n.WantedHeight = max(n.MinHeight, r.MinHeight), max(n.WantedHeight, r.WantedHeight)
	n.canGrow = n.canGrow || r.UsefulHeights == nil
	n.UsefulHeights = append(n.UsefulHeights, r.UsefulHeights...)
}

// rowHeights distributes h lines among the rows. It first assigns the minimum heights, then the
// wanted heights of rows that can use any height, then the useful heights of the other rows. The
// remaining lines go, by weight, to the rows that can use any height. ok is false if the minimum
// heights do not fit.
func rowHeights(needs []rowRequirement, h int) (out []int, ok bool) {
	out = make([]int, len(needs))
	left := h
	take := func(i, lines int) {
		lines = max(min(lines, left), 0)
		out[i] += lines
		left -= lines
	}
	minimum := 0
	for i, n := range needs {
		if n.hasContent {
			minimum += n.headLines + n.MinHeight
			take(i, n.headLines+n.MinHeight)
		}
	}
	weights := make([]int, len(needs))
	for i, n := range needs {
		if n.hasContent && n.canGrow {
			take(i, n.headLines+n.WantedHeight-out[i])
			weights[i] = n.weight
		}
	}
	for i, n := range needs {
		if n.hasContent && !n.canGrow {
			take(i, n.headLines+n.usefulHeight(out[i]-n.headLines+left)-out[i])
		}
	}
	if sumInts(weights) > 0 {
		more := make([]int, len(needs))
		distributeByWeight(more, weights, left)
		for i := range more {
			out[i] += more[i]
		}
	}
	return out, minimum <= h
}

// SizeHint describes the size that a pane needs, without its heading.
type SizeHint struct {
	MinWidth      int
	MinHeight     int
	WantedHeight  int   // preferred height in lines
	UsefulHeights []int // heights that the pane can fill, in ascending order; nil: any height
}

// usefulHeight returns the largest useful height that is at most h, but at least MinHeight.
func (r SizeHint) usefulHeight(h int) int {
	out := r.MinHeight
	for _, s := range r.UsefulHeights {
		if s <= h {
			out = max(out, s)
		}
	}
	return out
}
