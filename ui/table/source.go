package table

import (
	"strconv"
	"time"
)

// Source is an immutable view of the rows of one moment, in no particular
// order. When the rows change, hand a new one to [Model.SetSource]; it may be
// called with the same value again if only versions have changed.
//
// A column is named by its index in the slice given to [Model.SetColumns],
// whichever columns are visible.
type Source interface {
	// Len returns the number of rows.
	Len() int
	// Key returns what identifies row i for ever; no two rows share one.
	Key(i int) string
	// Version returns a number that differs whenever anything that Cell,
	// Compare, Matches or Row says about row i differs. A source that shows
	// durations mixes the second it counts from into it.
	Version(i int) uint64
	// Cell appends the text of row i in column col to dst.Text and sets its
	// style. dst comes empty, with Width set.
	Cell(i, col int, dst *Cell)
	// Compare orders rows i and j by column col, ascending; 0 leaves them to
	// be ordered by key.
	Compare(i, j, col int) int
	// Matches reports whether row i is shown under the filter, which is never
	// empty.
	Matches(i int, filter string) bool
}

// Tracker is a [Source] that changes in place and knows which rows did, so that
// the table need not ask every row whenever it is handed over. It must be
// comparable.
type Tracker interface {
	Source
	// Since returns the rows of which Compare or Matches may say something
	// else than at the time of the mark, and the mark of now, which is another
	// one whenever anything about any row is. ok is false when rows have come,
	// gone or moved since, or when that is not known any more. The slice is
	// good until the source changes again.
	Since(mark uint64) (rows []int32, now uint64, ok bool)
}

// RowSource is a [Source] whose rows have a look of their own. Its rows get one
// more column in front, for the marker.
type RowSource interface {
	Source
	// Row sets the look of row i. dst comes empty.
	Row(i int, dst *Row)
}

// Herald is a [RowSource] that knows about which rows there is news.
type Herald interface {
	RowSource
	// News is what there is to say of row i for a moment, nothing mostly.
	News(i int) News
}

// News is a sign beside the marker of a row for some time. Where what has changed is
// marked, the text of its first column has its style as well.
type News struct {
	Sign, Style string
	For         time.Duration // from now on; none: it is none
}

// Row is the look of a whole row.
type Row struct {
	// Style is the escape sequence under all cells, "" for none.
	Style string
	// Marker is drawn in front of the row, one cell wide; "" for none.
	Marker string
	// MarkerStyle is the escape sequence of the marker.
	MarkerStyle string
	// Text is drawn in the place of all cells, "" draws these. It may carry escape
	// sequences.
	Text string
	// Width is the room that Text has, and Blank says that figures are not to be in
	// it; both are set by the table.
	Width int
	Blank bool
}

// reset empties the row's look. Storing a pointer has its price while garbage is
// collected.
func (r *Row) reset(width int, blank bool) {
	if *r != (Row{Width: width, Blank: blank}) {
		*r = Row{Width: width, Blank: blank}
	}
}

// Cell is one cell to be filled by a [Source]. Its buffer is reused.
type Cell struct {
	// Text is what the cell shows, on one line, without escape sequences;
	// what does not fit is cut and marked, control characters are replaced.
	Text []byte
	// Style is the escape sequence that the text is drawn with, "" for none.
	Style string
	// Align overrides the column's alignment.
	Align Align
	// Raw says that Text carries escape sequences (a gauge, say).
	Raw bool
	// Width is the room there is, set by the table.
	Width int
	// Want is the room that the whole text would take, of a text that a source has
	// shortened itself for Width.
	Want int
}

// reset empties the cell but for its buffer.
func (c *Cell) reset(width int) {
	c.Text, c.Align, c.Raw, c.Width, c.Want = c.Text[:0], AlignDefault, false, width, 0
	if c.Style != "" { // for the reason of [Row.reset]
		c.Style = ""
	}
}

// String appends a string.
func (c *Cell) String(s string) { c.Text = append(c.Text, s...) }

// Int appends a number in decimal.
func (c *Cell) Int(n int64) { c.Text = strconv.AppendInt(c.Text, n, 10) }

// Float appends a number with the given number of decimals.
func (c *Cell) Float(f float64, decimals int) {
	c.Text = strconv.AppendFloat(c.Text, f, 'f', decimals, 64)
}

// empty is the source of a table that has been given none.
type empty struct{}

func (empty) Len() int                  { return 0 }
func (empty) Key(int) string            { return "" }
func (empty) Version(int) uint64        { return 0 }
func (empty) Cell(int, int, *Cell)      {}
func (empty) Compare(int, int, int) int { return 0 }
func (empty) Matches(int, string) bool  { return false }
