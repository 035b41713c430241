package table

import (
	"strconv"
	"time"
)

// Source is an immutable view of the rows at one moment, in no particular order. When the rows
// change, pass a new Source to [Model.SetSource]. If only versions have changed, the same value may
// be passed again.
//
// Columns are identified by their index in the slice passed to [Model.SetColumns],
// regardless of which columns are visible.
type Source interface {
	// Len returns the number of rows.
	Len() int
	// Key returns the permanent, unique key of row i.
	Key(i int) string
	// Version returns a number that changes whenever the result of Cell, Compare, Matches or Row
	// for row i changes. A source that shows durations includes the current second in it.
	Version(i int) uint64
	// Cell appends the text of row i in column col to dst.Text, and sets dst.Style. Before the
	// call, only dst.Width is set.
	Cell(i, col int, dst *Cell)
	// Compare returns a negative number if row i comes before row j in column col in ascending
	// order, and a positive number if it comes after row j. If it returns 0, the keys decide.
	Compare(i, j, col int) int
	// Matches reports whether row i matches the filter, which is never empty.
	Matches(i int, filter string) bool
}

// Tracker is a [Source] that changes in place and tracks the changes, so that the table need not
// check every row when the source is passed again. A Tracker must be comparable with ==.
type Tracker interface {
	Source
	// Since returns the rows for which Compare or Matches may have changed since mark, and the
	// current mark. The mark changes with every change of a row. ok is false if rows were added,
	// removed or moved since mark, or if mark is too old. The slice is valid until the source
	// changes again.
	Since(mark uint64) (rows []int32, current uint64, ok bool)
}

// RowSource is a [Source] whose cells have values, and whose rows have their own styles and
// markers. The table has a column for the markers in front of the others.
type RowSource interface {
	Source
	// Value returns the value of row i in column col.
	Value(i, col int) Value
	// Row sets the look of row i. dst has only Width and Blank set.
	Row(i int, dst *Row)
}

// NewsSource is a [RowSource] that reports news about rows.
type NewsSource interface {
	RowSource
	// News returns the current news of row i. Most rows have none.
	News(i int) News
}

// News is a sign that is shown for some time beside the marker of a row. If flashes are enabled,
// Style also applies to the text of the first column.
type News struct {
	Sign, Style string
	Remaining   time.Duration // remaining time; 0: no news
}

// Row is the look of a whole row.
type Row struct {
	// Style is the escape sequence below all cells, "" for none.
	Style string
	// Marker is drawn in front of the row, one cell wide; "" for none.
	Marker string
	// MarkerStyle is the escape sequence of the marker.
	MarkerStyle string
	// Text replaces all cells of the row unless it is "". It may contain escape sequences.
	Text string
	// Width is the width available to Text. If Blank is set, Text must omit figures. The table sets
	// both fields.
	Width int
	Blank bool
}

// reset clears the look, but only if it is not clear already: storing pointers is costly during
// garbage collection.
func (r *Row) reset(width int, blank bool) {
	if *r != (Row{Width: width, Blank: blank}) {
		*r = Row{Width: width, Blank: blank}
	}
}

// Cell is a cell to be filled by a [Source]. Its buffer is reused.
type Cell struct {
	// Text is the contents, on one line, without escape sequences unless HasEscapes is set. Text
	// that does not fit ends in an ellipsis. Control characters are replaced.
	Text []byte
	// Style is the escape sequence of the text, "" for none.
	Style string
	// Align overrides the column's alignment.
	Align Align
	// HasEscapes is true if Text contains escape sequences, as for a gauge.
	HasEscapes bool
	// Width is the available room, set by the table.
	Width int
	// WantedWidth is the width of the full text, if the source has shortened the text to Width.
	WantedWidth int
}

// reset clears the cell but keeps its buffer.
func (c *Cell) reset(width int) {
	c.Text, c.Align, c.HasEscapes, c.Width, c.WantedWidth = c.Text[:0], AlignDefault, false, width, 0
	if c.Style != "" { // avoid storing pointers, as in [Row.reset]
		c.Style = ""
	}
}

// AppendString appends a string.
func (c *Cell) AppendString(s string) { c.Text = append(c.Text, s...) }

// AppendInt appends a number in decimal.
func (c *Cell) AppendInt(n int64) { c.Text = strconv.AppendInt(c.Text, n, 10) }

// AppendFloat appends a number with the given number of decimals.
func (c *Cell) AppendFloat(f float64, decimals int) {
	c.Text = strconv.AppendFloat(c.Text, f, 'f', decimals, 64)
}

// emptySource is a source without rows, for a table whose source has not been set.
type emptySource struct{}

func (emptySource) Len() int                  { return 0 }
func (emptySource) Key(int) string            { return "" }
func (emptySource) Version(int) uint64        { return 0 }
func (emptySource) Cell(int, int, *Cell)      {}
func (emptySource) Compare(int, int, int) int { return 0 }
func (emptySource) Matches(int, string) bool  { return false }
