package table

// Align is the alignment of text in a cell.
type Align uint8

// The alignments. In a [Cell], AlignDefault means the alignment of the column; in a [Column], it
// means left.
const (
	AlignDefault Align = iota
	Left
	Right
	Center
)

// Column describes one column. Widths are in terminal cells.
type Column struct {
	// ID identifies the column in [Model.SortBy] and in the configuration.
	ID string
	// Title is the header; it is cut to the column's width.
	Title string
	// Explanation is a sentence about the column, or "".
	Explanation string
	// Min is the minimum width. If there is less room, the column is dropped; 0 means 1.
	Min int
	// Ideal is the width that the column gets before any other column grows beyond its contents; 0
	// means Min.
	Ideal int
	// Max is the maximum width of a column with a Weight; 0 means no limit.
	Max int
	// Weight is the column's share of the cells that remain when all columns have their ideal
	// width. A column without weight never grows beyond Ideal. It reaches Ideal only if the
	// contents of columns with weight leave enough cells.
	Weight int
	// Priority decides which columns are dropped on a narrow screen: those with the lowest priority
	// first, among equals the rightmost.
	Priority int
	// DropBelow is a priority. Columns with a lower priority are dropped before this column becomes
	// narrower than Ideal. With 0, no column is dropped for this reason.
	DropBelow int
	// Align is the alignment of text and title.
	Align Align
	// HasFigures is set if the values are figures, which a filter's conditions can compare.
	HasFigures bool
	// SortDescending makes the first sort by this column descending.
	SortDescending bool
	// NoSort disables sorting by the column.
	NoSort bool
	// NoFlash is set if the values change all the time, as durations do. Changed cells then do not
	// flash.
	NoFlash bool
	// Momentary is set if the values change from moment to moment, as figures do, but are not
	// right-aligned. [Model.SetBlank] then blanks the values as well.
	Momentary bool
}

// placedColumn is a visible column.
type placedColumn struct {
	col        int // index in Model.columns
	x          int // first cell, counted from the left edge of the table
	width      int
	labelWidth int // leading cells of width taken by the title; 0: the title is in the header
}

func (c Column) min() int { return max(c.Min, 1) }

func (c Column) ideal() int { return max(c.Ideal, c.min()) }

func (c Column) max() int {
	switch {
	case c.Weight <= 0:
		return c.ideal()
	case c.Max <= 0:
		return maxTableSize
	default:
		return max(c.Max, c.ideal())
	}
}

// columnGap is the number of blanks between two columns.
const columnGap = 1

// maxTableSize limits widths and heights, so that sums cannot overflow.
const maxTableSize = 1 << 16

// layoutColumns returns the columns that fit into width, placed from cell left on. held has the
// width of each column's contents, 0 if unknown. layoutColumns runs when the size or the columns
// change, or when contents outgrow their column.
func layoutColumns(cols []Column, held []int, width, left int) []placedColumn {
	if width <= 0 || len(cols) == 0 {
		return nil
	}
	chosen := fittingColumns(cols, width)
	out := make([]placedColumn, len(chosen))
	available := width - columnGap*(len(chosen)-1)
	for i, c := range chosen {
		w := min(cols[c].min(), available)
		if held[c] > 0 {
			w = min(w, held[c]) // other columns may need the room for their contents
		}
		out[i] = placedColumn{col: c, width: w}
		available -= w
	}
	// First to the ideal width, so that a single long text does not take the room of all others.
	available -= widenCutColumns(out, available, func(p placedColumn) int { return min(held[p.col], cols[p.col].ideal()) - p.width })
	available -= widenCutColumns(out, available, func(p placedColumn) int { return min(held[p.col], cols[p.col].max()) - p.width })
	available -= distributeWidth(out, available, func(p placedColumn) (int, int) {
		need := cols[p.col].ideal() - p.width
		return need, need
	})
	distributeWidth(out, available, func(p placedColumn) (int, int) {
		c := cols[p.col]
		return c.max() - p.width, c.Weight
	})
	x := left
	for i := range out {
		out[i].x = x
		x += out[i].width + columnGap
	}
	return out
}

// fittingColumns returns the indices of the columns that fit at their minimum width. It drops the
// column with the lowest priority until the rest fits. One column always stays.
func fittingColumns(cols []Column, width int) []int {
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
		total, last := columnGap*(len(chosen)-1), cols[chosen[drop]].Priority
		for _, c := range chosen {
			if total += cols[c].min(); last < cols[c].DropBelow {
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

// widenCutColumns widens columns whose contents are cut, and returns how many of the available
// cells it used. lack returns how many cells a column lacks. Columns that lack least come first, so
// that as few as possible remain cut.
func widenCutColumns(cols []placedColumn, available int, lack func(placedColumn) int) int {
	taken := 0
	for available > taken {
		minimum := -1
		for i, p := range cols {
			if n := lack(p); n > 0 && (minimum < 0 || n < lack(cols[minimum])) {
				minimum = i
			}
		}
		if minimum < 0 {
			break
		}
		n := min(lack(cols[minimum]), available-taken)
		cols[minimum].width += n
		taken += n
	}
	return taken
}

// distributeWidth widens columns in proportion to their weights, each by at most its limit. It
// returns how many of the available cells it used. Each round either brings a column to its limit
// or uses up the cells, so the loop ends.
func distributeWidth(cols []placedColumn, available int, limits func(placedColumn) (limit, weight int)) int {
	taken := 0
	for available > 0 {
		total := 0
		for _, p := range cols {
			if limit, weight := limits(p); limit > 0 && weight > 0 {
				total += weight
			}
		}
		if total == 0 {
			return taken
		}
		before, share := available, available
		for i, p := range cols {
			limit, weight := limits(p)
			if limit <= 0 || weight <= 0 || available == 0 {
				continue
			}
			n := min(limit, max(1, share*weight/total), available)
			cols[i].width += n
			available -= n
		}
		taken += before - available
	}
	return taken
}
