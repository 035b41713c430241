package table

import (
	"time"
)

// Source is a view of the rows, in no particular order. When the rows or their versions change, the
// caller passes a new Source, or the same one again, to [Model.SetSource].
//
// A column is identified by its index in the slice that was passed to [Model.SetColumns],
// regardless of which columns are visible.
type Source interface {
	// Len returns the number of rows.
	Len() int
	// Key returns the key of row i, which is unique and does not change.
	Key(i int) string
	// Version returns a number that changes whenever the result of Cell, Compare, Matches or Row
	// for row i changes. For a row that shows a duration, the number depends on the current second.
	Version(i int) uint64
	// Cell appends the text of row i in column col to dst.Text, and sets dst.Style. Only dst.Width
	// is set before the call.
	Cell(i, col int, dst *Cell)
	// Compare compares rows i and j by column col. It returns a negative number if row i comes
	// first in ascending order, and a positive number if row j comes first. If it returns 0, the
	// keys decide.
	Compare(i, j, col int) int
	// Matches reports whether row i matches a filter. The filter is never empty.
	Matches(i int, filter string) bool
}

// ChangeTracker is a [Source] that changes in place and tracks its changes. When it is passed to a table
// again, the table need not check every row. A ChangeTracker must be comparable with ==.
type ChangeTracker interface {
	Source
	// Since returns the rows for which the results of Compare or Matches may have changed since
	// mark, and the current mark. The mark changes with every change of a row. ok is false if rows
	// were added, removed or moved since mark, or if mark is too old. The slice is valid until the
	// source changes again.
	Since(mark uint64) (rows []int32, current uint64, ok bool)
}

// RowSource is a [Source] with values for its cells, and with styles and markers for its rows. The
// markers are drawn in front of the first column.
type RowSource interface {
	Source
	// Value returns the value of row i in column col.
	Value(i, col int) Value
	// Row sets the look of row i in dst. Only dst.Width and dst.Blank are set before the call.
	Row(i int, dst *Row)
}

// ChangeSignSource is a [RowSource] with signs for recent changes of its rows.
type ChangeSignSource interface {
	RowSource
	// ChangeSign returns the current sign of row i. For most rows, it returns the zero ChangeSign.
	ChangeSign(i int) ChangeSign
}

// ChangeSign is a sign that appears next to the marker of a row for some time. If flashing is enabled,
// Style also applies to the text of the first column.
type ChangeSign struct {
	Text, Style string
	Remaining   time.Duration // time until the sign disappears; 0: no sign
}

// Row is the look of a row as a whole.
type Row struct {
	// Style is the escape sequence of a style below all cells; "" means no style.
	Style string
	// Marker is one cell of text drawn in front of the row; "" means no marker.
	Marker string
	// MarkerStyle is the escape sequence of the marker.
	MarkerStyle string
	// Text replaces all cells of the row if it is not "". It may contain escape sequences.
	Text string
	// Width is the number of cells available for Text. If Blank is true, Text must not contain
	// figures. The table sets both fields.
	Width int
	Blank bool
}

// reset clears the look. If the look is already clear, it writes nothing, because writing pointers
// is costly during garbage collection.
func (r *Row) reset(width int, blank bool) {
	if *r != (Row{Width: width, Blank: blank}) {
		*r = Row{Width: width, Blank: blank}
	}
}

// Cell is the content of a cell, which a [Source] sets. The table reuses its buffer.
type Cell struct {
	// Text is the content, on a single line. It contains no escape sequences unless HasEscapes is
	// true. Text that does not fit is cut and ends in an ellipsis. Control characters are replaced.
	Text []byte
	// Style is the escape sequence of the style of the text; "" means no style.
	Style string
	// Align overrides the alignment of the column.
	Align AlignMode
	// HasEscapes is true if Text contains escape sequences, for example to draw a gauge.
	HasEscapes bool
	// Width is the number of cells available for Text. The table sets it.
	Width int
	// WantedWidth is the width of the full text, if the source has shortened Text to Width.
	WantedWidth int
}

// reset clears the cell for the given width but keeps its buffer.
func (c *Cell) reset(width int) {
	c.Text, c.Align, c.HasEscapes, c.Width, c.WantedWidth = c.Text[:0], AlignDefault, false, width, 0
	if c.Style != "" { // see [Row.reset]
		c.Style = ""
	}
}

// AppendString appends a string to the text.
func (c *Cell) AppendString(s string) { c.Text = append(c.Text, s...) }

// emptySource is a source without rows. A table uses it while it has no other source.
type emptySource struct{}

func (emptySource) Len() int                  { return 0 }
func (emptySource) Key(int) string            { return "" }
func (emptySource) Version(int) uint64        { return 0 }
func (emptySource) Cell(int, int, *Cell)      {}
func (emptySource) Compare(int, int, int) int { return 0 }
func (emptySource) Matches(int, string) bool  { return false }
