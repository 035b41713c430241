package table

// Align is where text stands in its cell.
type Align uint8

// The alignments. AlignDefault is the column's own in a [Cell] and left in a
// [Column].
const (
	AlignDefault Align = iota
	Left
	Right
	Center
)

// Column describes one column. Widths are in terminal cells.
type Column struct {
	// ID names the column for [Model.SortBy] and in the configuration.
	ID string
	// Title is the header; it is cut to the column's width.
	Title string
	// About says in a sentence what the column shows; "" says nothing.
	About string
	// Min is the width below which the column is dropped rather than shrunk;
	// 0 is 1.
	Min int
	// Ideal is the width the column gets before any other grows beyond what it
	// holds; 0 is Min.
	Ideal int
	// Max limits growth; 0 is no limit.
	Max int
	// Weight is the share of the room that is left when all have their ideal
	// width. A column without one never grows beyond Ideal, and what the others
	// hold comes before what they would ideally have.
	Weight int
	// Priority decides who stays on a narrow screen: lower ones are dropped
	// first, among equals the rightmost.
	Priority int
	// Before is the priority below which columns are dropped rather than that this one
	// is narrower than Ideal; 0: none is.
	Before int
	// Align is where text and title stand.
	Align Align
	// Desc makes the first sort by this column descending.
	Desc bool
	// NoSort keeps the column from being sorted by.
	NoSort bool
	// NoFlash is for figures that change all the time, such as durations.
	NoFlash bool
	// Passing is for what holds only for the moment, as figures do, but does not
	// stand on the right: [Model.SetBlank] takes it away with them.
	Passing bool
}

// placed is a visible column.
type placed struct {
	col   int // index in Model.columns
	x     int // first cell, counted from the left edge of the table
	width int
	label int // cells of that, from the first on, that the title has; 0: it stands above
}

func (c Column) min() int { return max(c.Min, 1) }

func (c Column) ideal() int { return max(c.Ideal, c.min()) }

func (c Column) max() int {
	switch {
	case c.Weight <= 0:
		return c.ideal()
	case c.Max <= 0:
		return maxSize
	default:
		return max(c.Max, c.ideal())
	}
}

// gap is the number of blanks between two columns.
const gap = 1

// maxSize bounds widths and heights, so that sums cannot overflow.
const maxSize = 1 << 16

// layout chooses the columns that fit into width and gives each its place. held
// is the width of what each column holds, 0 where that is not known. It runs when
// the size or the columns change or one holds more than it has room for.
func layout(cols []Column, held []int, width, left int) []placed {
	if width <= 0 || len(cols) == 0 {
		return nil
	}
	chosen := fitting(cols, width)
	out := make([]placed, len(chosen))
	room := width - gap*(len(chosen)-1)
	for i, c := range chosen {
		w := min(cols[c].min(), room)
		if held[c] > 0 {
			w = min(w, held[c]) // the others may hold more than they have room for
		}
		out[i] = placed{col: c, width: w}
		room -= w
	}
	room -= hold(out, room, func(p placed) int { return min(held[p.col], cols[p.col].max()) - p.width })
	room -= grow(out, room, func(p placed) (int, int) {
		need := cols[p.col].ideal() - p.width
		return need, need
	})
	grow(out, room, func(p placed) (int, int) {
		c := cols[p.col]
		return c.max() - p.width, c.Weight
	})
	x := left
	for i := range out {
		out[i].x = x
		x += out[i].width + gap
	}
	return out
}

// fitting drops columns, lowest priority first, until the rest fits at its
// smallest. One column always stays.
func fitting(cols []Column, width int) []int {
	chosen := make([]int, len(cols))
	for i := range cols {
		chosen[i] = i
	}
	for len(chosen) > 1 {
		drop := 0
		for i, c := range chosen {
			if cols[c].Priority <= cols[chosen[drop]].Priority {
				drop = i
			}
		}
		total, last := gap*(len(chosen)-1), cols[chosen[drop]].Priority
		for _, c := range chosen {
			if total += cols[c].min(); last < cols[c].Before {
				total += cols[c].ideal() - cols[c].min()
			}
		}
		if total <= width {
			break
		}
		chosen = append(chosen[:drop], chosen[drop+1:]...)
	}
	return chosen
}

// hold hands out the room that columns lack for what they hold, and returns how
// much was taken. Those that lack least come first, so that as few as possible
// remain cut.
func hold(cols []placed, room int, lack func(placed) int) int {
	taken := 0
	for room > taken {
		least := -1
		for i, p := range cols {
			if n := lack(p); n > 0 && (least < 0 || n < lack(cols[least])) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		n := min(lack(cols[least]), room-taken)
		cols[least].width += n
		taken += n
	}
	return taken
}

// grow hands out room in proportion to the weights, to no column more than its
// limit, and returns how much was taken. Each round either satisfies a column
// or uses up the room, so it ends.
func grow(cols []placed, room int, want func(placed) (limit, weight int)) int {
	taken := 0
	for room > 0 {
		total := 0
		for _, p := range cols {
			if limit, weight := want(p); limit > 0 && weight > 0 {
				total += weight
			}
		}
		if total == 0 {
			return taken
		}
		before, share := room, room
		for i, p := range cols {
			limit, weight := want(p)
			if limit <= 0 || weight <= 0 || room == 0 {
				continue
			}
			n := min(limit, max(1, share*weight/total), room)
			cols[i].width += n
			room -= n
		}
		taken += before - room
	}
	return taken
}
