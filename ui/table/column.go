package table

// AlignMode is the horizontal alignment of text in a cell.
type AlignMode uint8

// Values of [AlignMode]. AlignDefault in a [Cell] means the alignment of the column, and in a [Column]
// it means Left.
const (
	AlignDefault AlignMode = iota
	Left
	Right
	Center
)

// Column describes one column. Widths are in terminal cells.
type Column struct {
	// ID identifies the column in [Model.SortBy] and in the configuration.
	ID string
	// Title is the text in the header. It is cut to the width of the column.
	Title string
	// Explanation is a sentence that explains the column, or "".
	Explanation string
	// Aliases are names by which filters know the column, besides the ID and the title.
	Aliases []string
	// Min is the minimum width of the column, unless its contents are narrower; 0 means 1. If there
	// is less room, the column is dropped, unless it is the last one left.
	Min int
	// Ideal is the width that the column gets before any other column grows beyond its contents; 0
	// means Min.
	Ideal int
	// Max is the maximum width of a column with a Weight; 0 means no limit.
	Max int
	// Weight is the column's share of the cells that remain when all columns have their ideal
	// width. A column without a Weight never grows beyond Ideal. It reaches Ideal only if the
	// contents of the columns with a Weight leave enough cells.
	Weight int
	// Priority determines which columns are dropped if there is too little room. Columns with the
	// lowest priority are dropped first, and among equals the rightmost.
	Priority int
	// DropBelow is a priority. Columns with a lower priority are dropped before this column gets
	// narrower than Ideal. 0 means that no column is dropped for this column.
	DropBelow int
	// Align is the alignment of the title and the cells.
	Align AlignMode
	// HasFigures is true if the values are figures, so that a filter can compare them with a limit.
	HasFigures bool
	// SortDescending makes the first sort by this column descending.
	SortDescending bool
	// NoSort prevents the viewer from sorting by this column.
	NoSort bool
	// NoFlash prevents cells from flashing when their text changes. It is set for values that
	// change all the time, such as durations.
	NoFlash bool
	// Momentary is true for values that describe the present moment, as figures do, but are not
	// right-aligned. [Model.SetBlank] blanks such values, too.
	Momentary bool
}

// placedColumn is a visible column.
type placedColumn struct {
	col        int // index of the column in Model.columns
	x          int // first cell, counted from the left edge of the table
	width      int
	labelWidth int // cells at the left of width that show the title; 0: the title is in the header
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

// columnGap is the number of spaces between two columns.
const columnGap = 1

// maxTableSize limits the widths and heights of tables, so that their sums cannot overflow.
const maxTableSize = 1 << 16

// layoutColumns returns the columns that fit into width, the first one beginning at cell left. held
// holds the width of each column's contents, or 0 if unknown.
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
			w = min(w, held[c]) // the cells of other columns may need this room
		}
		out[i] = placedColumn{col: c, width: w}
		available -= w
	}
	// Columns with cut contents are first widened to at most their ideal width, so that a single
	// long text does not take the room of the others.
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

// fittingColumns returns the indices of the columns that fit into width with their minimum widths,
// or with the ideal ones that DropBelow demands. It drops the column with the lowest priority until
// the remaining columns fit, but keeps at least one column.
func fittingColumns(cols []Column, width int) []int {
	chosen := make([]int, len(cols))
	for i := range cols {
		chosen[i] = i
	}
	for len(chosen) > 1 {
		leastImportant := 0
		for i, c := range chosen {
			if cols[c].Priority <= cols[chosen[leastImportant]].Priority {
				leastImportant = i
			}
		}
		total, last := columnGap*(len(chosen)-1), cols[chosen[leastImportant]].Priority
		for _, c := range chosen {
			if total += cols[c].min(); last < cols[c].DropBelow {
				total += cols[c].ideal() - cols[c].min()
			}
		}
		if total <= width {
			break
		}
		chosen = append(chosen[:leastImportant], chosen[leastImportant+1:]...)
	}
	return chosen
}

// widenCutColumns widens columns whose contents are cut, and returns how many of the available
// cells it has used. lack returns the number of cells that a column lacks. The columns that lack
// the fewest cells are widened first, so that as few columns as possible remain cut.
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
// returns how many of the available cells it has used. Each round uses at least one cell, so the
// loop terminates.
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
