package rowset

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

// Reference is the snapshot to compare with. It does not change.
type Reference struct {
	Snapshot   *model.Snapshot
	At         time.Time // on the server's clock
	IsLater    bool      // later than the shown snapshot
	OtherNames bool      // agents have other names in Snapshot and cannot be matched
}

// CanCompare reports whether rows that come from some subscriptions can be compared.
func (o *Reference) CanCompare(subs []model.Op) bool {
	return o != nil && (!o.OtherNames || !slices.ContainsFunc(subs, func(op model.Op) bool {
		return op == model.OpUsers || op == model.OpUserStats || op == model.OpOperators
	}))
}

// Comparison holds the rows of a table together with their values in a [Reference]. Rows that
// exist only in the reference come last.
type Comparison struct {
	current, earlier render.Rows // rows of the shown snapshot and of the reference
	reference        *Reference
	options          *render.Options
	unknown          []byte // text of an unknown value
	columns          []table.Column
	earlierRows      map[string]int // row indices of other, by key
	removed          []int          // rows of other that are not in current
	desc             bool           // the table sorts in descending order
	text             []byte         // buffer for a cell of other
}

var _ table.RowSource = (*Comparison)(nil)

// NewComparison returns an empty comparison of two sources of the same kind.
func NewComparison(current, earlier render.Rows) *Comparison {
	columns := current.Columns()
	ids := make([]string, len(columns))
	for i, c := range columns {
		ids[i] = c.ID
	}
	earlier.Pick(ids...)
	return &Comparison{current: current, earlier: earlier, columns: columns}
}

// Widen returns columns in which figures can grow to the width of two values.
func Widen(columns []table.Column) []table.Column {
	out := slices.Clone(columns)
	for i := range out {
		if c := &out[i]; c.Align == table.Right && !c.NoFlash {
			c.Max, c.Weight = 2*c.Min+1, max(c.Weight, 1)
		}
	}
	return out
}

// Update takes the reference and computes its rows. v is the view of the current rows.
func (r *Comparison) Update(o *Reference, v *render.View, desc bool) {
	earlier := render.View{Options: v.Options, Scope: v.Scope, Now: o.At}
	r.reference, r.options, r.desc = o, v.Options, desc
	r.unknown = v.Options.Format().Unknown(r.unknown[:0])
	r.earlier.SetDescending(desc)
	r.earlier.Update(o.Snapshot, &earlier)
	r.earlierRows = make(map[string]int, r.earlier.Len())
	for i := range r.earlier.Len() {
		r.earlierRows[r.earlier.Key(i)] = i
	}
	currentKeys := make(map[string]bool, r.current.Len())
	for i := range r.current.Len() {
		currentKeys[r.current.Key(i)] = true
	}
	r.removed = r.removed[:0]
	for i := range r.earlier.Len() {
		if !currentKeys[r.earlier.Key(i)] {
			r.removed = append(r.removed, i)
		}
	}
}

// removedRow returns the row of the reference for a row i that exists only there.
func (r *Comparison) removedRow(i int) (row int, ok bool) {
	if i < r.current.Len() {
		return 0, false
	}
	return r.removed[i-r.current.Len()], true
}

// Len implements [table.Source].
func (r *Comparison) Len() int { return r.current.Len() + len(r.removed) }

// Key implements [table.Source].
func (r *Comparison) Key(i int) string {
	if index, ok := r.removedRow(i); ok {
		return r.earlier.Key(index)
	}
	return r.current.Key(i)
}

// Version implements [table.Source].
func (r *Comparison) Version(i int) uint64 {
	const spread, alone = 0x9E3779B97F4A7C15, 0xA5A5_0F0F_A5A5_0F0F
	if index, ok := r.removedRow(i); ok {
		return r.earlier.Version(index)*spread ^ alone
	}
	v := r.current.Version(i)
	if r.reference.IsLater {
		v += alone
	}
	if index, both := r.earlierRows[r.current.Key(i)]; both {
		return v ^ r.earlier.Version(index)*spread
	}
	return v ^ alone
}

// Compare implements [table.Source]. Rows that exist only in the reference come last in both
// directions.
func (r *Comparison) Compare(i, j, col int) int {
	a, goneA := r.removedRow(i)
	b, goneB := r.removedRow(j)
	switch {
	case goneA && goneB:
		return r.earlier.Compare(a, b, col)
	case !goneA && !goneB:
		return r.current.Compare(i, j, col)
	case goneA == r.desc:
		return -1
	}
	return 1
}

// Matches implements [table.Source].
func (r *Comparison) Matches(i int, filter string) bool {
	if index, ok := r.removedRow(i); ok {
		return r.earlier.Matches(index, filter)
	}
	return r.current.Matches(i, filter)
}

// Value implements [table.RowSource]. It returns the value in the shown snapshot if the row exists
// there.
func (r *Comparison) Value(i, col int) table.Value {
	if index, ok := r.removedRow(i); ok {
		return r.earlier.Value(index, col)
	}
	return r.current.Value(i, col)
}

// Row implements [table.RowSource]. A row that exists in only one of the snapshots is marked with
// + or - in place of its alarm, which a column or another page also shows.
func (r *Comparison) Row(i int, dst *table.Row) {
	if _, ok := r.removedRow(i); ok {
		r.sign(dst, !r.reference.IsLater)
		return
	}
	r.current.Row(i, dst)
	if _, both := r.earlierRows[r.current.Key(i)]; !both {
		r.sign(dst, r.reference.IsLater)
	}
}

// sign marks a row as removed or added between the two snapshots.
func (r *Comparison) sign(dst *table.Row, removed bool) {
	dst.Marker, dst.MarkerStyle = "+", r.options.Theme.SGR(themes.Accent)
	if removed {
		dst.Marker = "-"
	}
}

// Cell implements [table.Source]. A changed cell shows both values, the earlier one first.
func (r *Comparison) Cell(i, col int, dst *table.Cell) {
	if index, ok := r.removedRow(i); ok {
		if r.compares(col) {
			r.earlier.Cell(index, col, dst)
		}
		dst.Style = r.options.Theme.SGR(themes.Dim)
		return
	}
	r.current.Cell(i, col, dst)
	index, both := r.earlierRows[r.current.Key(i)]
	if !both || !r.compares(col) || dst.Raw {
		return
	}
	other := table.Cell{Text: r.text[:0], Width: dst.Width}
	r.earlier.Cell(index, col, &other)
	r.text = other.Text
	if other.Raw || bytes.Equal(other.Text, dst.Text) || bytes.Equal(other.Text, r.unknown) || bytes.Equal(dst.Text, r.unknown) {
		return // unknown values cannot be compared
	}
	dst.Style = r.options.Theme.SGR(themes.Accent)
	arrow := "→"
	if r.options.ASCII {
		arrow = ">"
	}
	first, second := string(other.Text), string(dst.Text)
	if r.reference.IsLater {
		first, second = second, first
	}
	if second == "" {
		second = string(r.unknown)
	}
	if first == "" {
		first = string(r.unknown)
	}
	dst.Want = r.options.Width.StringWidth(first + arrow + second)
	for _, earlier := range []string{first, strings.TrimSuffix(first, " %")} { // the unit only once if room is short
		if pair := earlier + arrow + second; r.options.Width.StringWidth(pair) <= dst.Width {
			dst.Text = append(dst.Text[:0], pair...)
			return
		}
	}
}

// compares reports whether the values of a column can be compared. Growing times cannot, because
// they always differ, and the alarms of the reference are unknown.
func (r *Comparison) compares(col int) bool {
	c := &r.columns[col]
	return !c.NoFlash && c.ID != "alarm"
}
