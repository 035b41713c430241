package floorview

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// Reference is the snapshot that the shown snapshot is compared with. A Reference is immutable.
type Reference struct {
	Snapshot    *model.Snapshot
	Time        time.Time // on the server's clock
	IsLater     bool      // the snapshot is later than the shown snapshot
	NamesDiffer bool      // Snapshot contains other names for the agents, so they cannot be matched
}

// CanCompare reports whether rows from the given subscriptions can be compared. It returns false if
// o is nil, and for rows of agents if NamesDiffer is set.
func (o *Reference) CanCompare(subs []model.Op) bool {
	return o != nil && (!o.NamesDiffer || !slices.ContainsFunc(subs, func(op model.Op) bool {
		return op == model.OpUsers || op == model.OpUserStats || op == model.OpOperators
	}))
}

// Comparison holds the rows of a table together with their values in a [Reference]. Rows that exist
// only in the reference come last.
type Comparison struct {
	current, other render.Rows // rows of the shown snapshot and of the reference
	reference      *Reference
	options        *render.Options
	unknownText    []byte // text for an unknown value
	columns        []table.Column
	otherIndexes   map[string]int // indices of the rows of other, by key
	onlyInOther    []int          // indices in other of the rows that are not in current
	desc           bool           // the table sorts in descending order
	text           []byte         // buffer for the text of a cell of other
}

var _ table.RowSource = (*Comparison)(nil)

// NewComparison returns an empty comparison of two sources of the same kind. current holds the rows
// of the shown snapshot, earlier those of the reference.
func NewComparison(current, earlier render.Rows) *Comparison {
	columns := current.Columns()
	ids := make([]string, len(columns))
	for i, c := range columns {
		ids[i] = c.ID
	}
	earlier.Pick(ids...)
	return &Comparison{current: current, other: earlier, columns: columns}
}

// WidenFigures returns a copy of columns in which columns of figures can grow to the width of two
// values.
func WidenFigures(columns []table.Column) []table.Column {
	out := slices.Clone(columns)
	for i := range out {
		if c := &out[i]; c.Align == table.Right && !c.NoFlash {
			c.Max, c.Weight = 2*c.Min+1, max(c.Weight, 1)
		}
	}
	return out
}

// Update computes the rows of the reference o, and finds the rows that exist only there. v is the
// view that the current rows were computed with. desc is true if the table sorts in descending
// order.
func (r *Comparison) Update(o *Reference, v *render.View, desc bool) {
	earlier := render.View{Options: v.Options, Scope: v.Scope, Now: o.Time}
	r.reference, r.options, r.desc = o, v.Options, desc
	r.unknownText = v.Options.Format().Unknown(r.unknownText[:0])
	r.other.SetDescending(desc)
	r.other.Update(o.Snapshot, &earlier)
	r.otherIndexes = make(map[string]int, r.other.Len())
	for i := range r.other.Len() {
		r.otherIndexes[r.other.Key(i)] = i
	}
	currentKeys := make(map[string]bool, r.current.Len())
	for i := range r.current.Len() {
		currentKeys[r.current.Key(i)] = true
	}
	r.onlyInOther = r.onlyInOther[:0]
	for i := range r.other.Len() {
		if !currentKeys[r.other.Key(i)] {
			r.onlyInOther = append(r.onlyInOther, i)
		}
	}
}

// otherRow returns the index in the reference of row i, if row i exists only in the reference. ok
// is false for any other row.
func (r *Comparison) otherRow(i int) (row int, ok bool) {
	if i < r.current.Len() {
		return 0, false
	}
	return r.onlyInOther[i-r.current.Len()], true
}

// Len implements [table.Source].
func (r *Comparison) Len() int { return r.current.Len() + len(r.onlyInOther) }

// Key implements [table.Source].
func (r *Comparison) Key(i int) string {
	if index, ok := r.otherRow(i); ok {
		return r.other.Key(index)
	}
	return r.current.Key(i)
}

// Version implements [table.Source].
func (r *Comparison) Version(i int) uint64 {
	const hashFactor, noReference = 0x9E3779B97F4A7C15, 0xA5A5_0F0F_A5A5_0F0F
	if index, ok := r.otherRow(i); ok {
		return r.other.Version(index)*hashFactor ^ noReference
	}
	v := r.current.Version(i)
	if r.reference.IsLater {
		v += noReference
	}
	if index, both := r.otherIndexes[r.current.Key(i)]; both {
		return v ^ r.other.Version(index)*hashFactor
	}
	return v ^ noReference
}

// Compare implements [table.Source]. Rows that exist only in the reference come last in both sort
// directions.
func (r *Comparison) Compare(i, j, col int) int {
	a, goneA := r.otherRow(i)
	b, goneB := r.otherRow(j)
	switch {
	case goneA && goneB:
		return r.other.Compare(a, b, col)
	case !goneA && !goneB:
		return r.current.Compare(i, j, col)
	case goneA == r.desc:
		return -1
	}
	return 1
}

// Matches implements [table.Source].
func (r *Comparison) Matches(i int, filter string) bool {
	if index, ok := r.otherRow(i); ok {
		return r.other.Matches(index, filter)
	}
	return r.current.Matches(i, filter)
}

// Value implements [table.RowSource]. It returns the value in the shown snapshot. For a row that
// exists only in the reference, it returns the value in the reference.
func (r *Comparison) Value(i, col int) table.Value {
	if index, ok := r.otherRow(i); ok {
		return r.other.Value(index, col)
	}
	return r.current.Value(i, col)
}

// Row implements [table.RowSource]. A row that exists in only one of the snapshots is marked with +
// or -. The mark replaces the mark of an alert, which is also shown in a column or on another page.
func (r *Comparison) Row(i int, dst *table.Row) {
	if _, ok := r.otherRow(i); ok {
		r.setMarker(dst, !r.reference.IsLater)
		return
	}
	r.current.Row(i, dst)
	if _, both := r.otherIndexes[r.current.Key(i)]; !both {
		r.setMarker(dst, r.reference.IsLater)
	}
}

// setMarker marks a row with - if it was removed between the two snapshots, and with + if it was
// added.
func (r *Comparison) setMarker(dst *table.Row, removed bool) {
	dst.Marker, dst.MarkerStyle = "+", r.options.Theme.OpenSequence(themes.Accent)
	if removed {
		dst.Marker = "-"
	}
}

// Cell implements [table.Source]. A changed cell shows both values, the earlier one first.
func (r *Comparison) Cell(i, col int, dst *table.Cell) {
	if index, ok := r.otherRow(i); ok {
		if r.isComparable(col) {
			r.other.Cell(index, col, dst)
		}
		dst.Style = r.options.Theme.OpenSequence(themes.Dim)
		return
	}
	r.current.Cell(i, col, dst)
	index, both := r.otherIndexes[r.current.Key(i)]
	if !both || !r.isComparable(col) || dst.HasEscapes {
		return
	}
	other := table.Cell{Text: r.text[:0], Width: dst.Width}
	r.other.Cell(index, col, &other)
	r.text = other.Text
	if other.HasEscapes || bytes.Equal(other.Text, dst.Text) || bytes.Equal(other.Text, r.unknownText) || bytes.Equal(dst.Text, r.unknownText) {
		return // an unknown value cannot be compared
	}
	dst.Style = r.options.Theme.OpenSequence(themes.Accent)
	arrow := "→"
	if r.options.ASCII {
		arrow = ">"
	}
	first, second := string(other.Text), string(dst.Text)
	if r.reference.IsLater {
		first, second = second, first
	}
	if second == "" {
		second = string(r.unknownText)
	}
	if first == "" {
		first = string(r.unknownText)
	}
	dst.WantedWidth = table.TextWidth(r.options.WidthMethod, first+arrow+second)
	for _, earlier := range []string{first, strings.TrimSuffix(first, " %")} { // the unit is shown only once if both do not fit
		if pair := earlier + arrow + second; table.TextWidth(r.options.WidthMethod, pair) <= dst.Width {
			dst.Text = append(dst.Text[:0], pair...)
			return
		}
	}
}

// isComparable reports whether the values of a column can be compared. It is false for durations
// that grow with the clock, which always differ, and for alarms, which are unknown in the
// reference.
func (r *Comparison) isComparable(col int) bool {
	c := &r.columns[col]
	return !c.NoFlash && c.ID != "alarm"
}
