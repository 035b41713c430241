// Package areas shares a screen among the panes of a page.
package areas

import "slices"

// Block is a pane for which room is looked for.
type Block struct {
	Weight   int // its share of the row's width; 0 is 1
	Priority int // who gives way first: the highest, and among equals the last
}

// Area is where a pane stands, without a line above it.
type Area struct{ X, Y, W, H int }

// Has reports whether a place on the screen is in the area.
func (a Area) Has(x, y int) bool { return x >= a.X && x < a.X+a.W && y >= a.Y && y < a.Y+a.H }

// Gutter is how many cells are between panes next to each other.
const Gutter = 2

// Row is a row of panes for which room is looked for.
type Row struct {
	Weight int // its share of the height that no row needs for itself; 0 is 1
	Head   int // the lines above its panes
	Blocks []Block
}

// Of gives every pane its area in w cells and h lines, measured from the top
// left. Panes for which there is no room give way: they get none. One always
// stays, however little room there is.
//
// want tells how much room a pane needs in a width, by its row and its place in
// it. All is whole numbers and depends on nothing but the arguments: the same
// screen always looks the same.
func Of(rows []Row, w, h int, want func(row, at, w int) Room) [][]Area {
	shown := make([][]bool, len(rows))
	left := 0
	for i := range rows {
		shown[i] = make([]bool, len(rows[i].Blocks))
		for j := range shown[i] {
			shown[i][j] = true
			left++
		}
	}
	for {
		out, row := place(rows, shown, w, h, want)
		if row == fitting || left <= 1 {
			return out
		}
		i, j := leastOfAll(rows, shown, row)
		shown[i][j] = false
		left--
	}
}

// What place returns beside the row that is too narrow.
const (
	fitting = -1
	tooHigh = -2
)

// leastOfAll returns the pane that gives way first: in a row that is too narrow,
// or anywhere.
func leastOfAll(rows []Row, shown [][]bool, in int) (row, at int) {
	row = -1
	for i := range rows {
		if in >= 0 && i != in {
			continue
		}
		for j, on := range shown[i] {
			if on && (row < 0 || rows[i].Blocks[j].Priority >= rows[row].Blocks[at].Priority) {
				row, at = i, j
			}
		}
	}
	return row, at
}

// place lays out the panes that are shown, and tells what is in their way.
func place(rows []Row, shown [][]bool, w, h int, want func(row, at, w int) Room) ([][]Area, int) {
	out := make([][]Area, len(rows))
	narrow := fitting
	needs := make([]need, len(rows))
	for i := range rows {
		out[i] = make([]Area, len(rows[i].Blocks))
		widths, ok := rows[i].widths(shown[i], w, func(at int) int { return want(i, at, w).Width })
		if !ok {
			narrow = i
		}
		x := 0
		for j, on := range shown[i] {
			if !on {
				continue
			}
			out[i][j].X, out[i][j].W = x, widths[j]
			x += widths[j] + Gutter
			needs[i].add(want(i, j, widths[j]))
		}
		needs[i].weight, needs[i].head = max(rows[i].Weight, 1), rows[i].Head
	}
	heights, ok := heights(needs, h)
	y := 0
	for i := range rows {
		for j, on := range shown[i] {
			if on {
				out[i][j].Y, out[i][j].H = min(y+needs[i].head, h), max(heights[i]-needs[i].head, 0)
			}
		}
		y += heights[i]
	}
	switch {
	case narrow >= 0:
		return out, narrow
	case !ok:
		return out, tooHigh
	}
	return out, fitting
}

// widths shares w among the panes of a row that are shown. ok is false when one
// of them gets less than it needs.
func (r *Row) widths(shown []bool, w int, least func(int) int) (out []int, ok bool) {
	out = make([]int, len(r.Blocks))
	n := 0
	for _, on := range shown {
		if on {
			n++
		}
	}
	if n == 0 {
		return out, true
	}
	open := slices.Clone(shown)
	rest := max(w-Gutter*(n-1), 0)
	for { // what gets less by its weight than it needs gets what it needs
		weights := make([]int, len(open))
		for j, on := range open {
			if on {
				weights[j] = max(r.Blocks[j].Weight, 1)
			}
		}
		share(out, weights, rest)
		again := false
		for j, on := range open {
			if on && out[j] < least(j) && sum(weights) > weights[j] {
				out[j], open[j], again = min(least(j), rest), false, true
				rest -= out[j]
				break
			}
		}
		if !again {
			break
		}
	}
	ok = true
	for j, on := range shown {
		ok = ok && (!on || out[j] >= least(j))
	}
	return out, ok
}

// share gives each with a weight its share of total, the whole of it in all.
func share(out, weights []int, total int) {
	all, upTo, given := sum(weights), 0, 0
	for j, weight := range weights {
		if weight == 0 {
			continue
		}
		upTo += weight
		next := total * upTo / all
		out[j], given = next-given, next
	}
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}

// need is how much height a row needs.
type need struct {
	Room
	weight, head int
	any, grows   bool
}

// add takes a pane's need into its row's.
func (n *need) add(r Room) {
	n.any = true
	n.Least, n.Wanted = max(n.Least, r.Least), max(n.Wanted, r.Wanted)
	n.grows = n.grows || r.Steps == nil
	n.Steps = append(n.Steps, r.Steps...)
}

// heights shares h among the rows: first what they need at least, then what
// makes those at ease that can use any height, then the steps of the others,
// and the rest to those that can use any, by weight. ok is false when there is
// less than the least.
func heights(needs []need, h int) (out []int, ok bool) {
	out = make([]int, len(needs))
	left := h
	take := func(i, lines int) {
		lines = max(min(lines, left), 0)
		out[i] += lines
		left -= lines
	}
	least := 0
	for i, n := range needs {
		if n.any {
			least += n.head + n.Least
			take(i, n.head+n.Least)
		}
	}
	weights := make([]int, len(needs))
	for i, n := range needs {
		if n.any && n.grows {
			take(i, n.head+n.Wanted-out[i])
			weights[i] = n.weight
		}
	}
	for i, n := range needs {
		if n.any && !n.grows {
			take(i, n.head+n.fits(out[i]-n.head+left)-out[i])
		}
	}
	if sum(weights) > 0 {
		more := make([]int, len(needs))
		share(more, weights, left)
		for i := range more {
			out[i] += more[i]
		}
	}
	return out, least <= h
}

// Room is how much of the screen a pane needs, without the line above it.
type Room struct {
	Width  int   // the least cells it can be drawn in
	Least  int   // the least lines
	Wanted int   // the lines from which on it is at ease
	Steps  []int // the heights that are of use to it, ascending; nil: all are
}

// fits returns the most lines of h that are of use, in steps.
func (r Room) fits(h int) int {
	out := r.Least
	for _, s := range r.Steps {
		if s <= h {
			out = max(out, s)
		}
	}
	return out
}
