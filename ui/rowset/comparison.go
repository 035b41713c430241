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

// Reference is the instant to compare with. It does not change.
type Reference struct {
	Snapshot   *model.Snapshot
	At         time.Time // on the server's clock
	Later      bool      // later than the shown snapshot
	OtherNames bool      // agents have other names in it and cannot be matched
}

// Can reports whether rows that come from some subscriptions can be compared.
func (o *Reference) Can(subs []model.Op) bool {
	return o != nil && (!o.OtherNames || !slices.ContainsFunc(subs, func(op model.Op) bool {
		return op == model.OpUsers || op == model.OpUserStats || op == model.OpOperators
	}))
}

// Comparison holds the rows of a table with their values at the other instant. Rows that
// exist only at that instant come last.
type Comparison struct {
	of, then render.Rows
	other    *Reference
	options  *render.Options
	unknown  []byte
	columns  []table.Column
	was      map[string]int // rows of then by key
	gone     []int          // rows of then that are not in of
	desc     bool
	text     []byte // buffer for a cell of then
}

var _ table.RowSource = (*Comparison)(nil)

// NewComparison returns an empty comparison of two sources of the same kind.
func NewComparison(of, then render.Rows) *Comparison {
	columns := of.Columns()
	ids := make([]string, len(columns))
	for i, c := range columns {
		ids[i] = c.ID
	}
	then.Pick(ids...)
	return &Comparison{of: of, then: then, columns: columns}
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

// Update takes the current rows, drawn with a view, and those of the other instant.
func (r *Comparison) Update(o *Reference, v *render.View, desc bool) {
	then := render.View{Options: v.Options, Scope: v.Scope, Now: o.At}
	r.other, r.options, r.desc = o, v.Options, desc
	r.unknown = v.Options.Format().Unknown(r.unknown[:0])
	r.then.SetDescending(desc)
	r.then.Update(o.Snapshot, &then)
	r.was = make(map[string]int, r.then.Len())
	for i := range r.then.Len() {
		r.was[r.then.Key(i)] = i
	}
	here := make(map[string]bool, r.of.Len())
	for i := range r.of.Len() {
		here[r.of.Key(i)] = true
	}
	r.gone = r.gone[:0]
	for i := range r.then.Len() {
		if !here[r.then.Key(i)] {
			r.gone = append(r.gone, i)
		}
	}
}

// left returns the row of the other instant for a row i that exists only there.
func (r *Comparison) left(i int) (then int, ok bool) {
	if i < r.of.Len() {
		return 0, false
	}
	return r.gone[i-r.of.Len()], true
}

// Len implements [table.Source].
func (r *Comparison) Len() int { return r.of.Len() + len(r.gone) }

// Key implements [table.Source].
func (r *Comparison) Key(i int) string {
	if index, ok := r.left(i); ok {
		return r.then.Key(index)
	}
	return r.of.Key(i)
}

// Version implements [table.Source].
func (r *Comparison) Version(i int) uint64 {
	const spread, alone = 0x9E3779B97F4A7C15, 0xA5A5_0F0F_A5A5_0F0F
	if index, ok := r.left(i); ok {
		return r.then.Version(index)*spread ^ alone
	}
	v := r.of.Version(i)
	if r.other.Later {
		v += alone
	}
	if index, both := r.was[r.of.Key(i)]; both {
		return v ^ r.then.Version(index)*spread
	}
	return v ^ alone
}

// Compare implements [table.Source]. Removed rows come last in both directions.
func (r *Comparison) Compare(i, j, col int) int {
	a, goneA := r.left(i)
	b, goneB := r.left(j)
	switch {
	case goneA && goneB:
		return r.then.Compare(a, b, col)
	case !goneA && !goneB:
		return r.of.Compare(i, j, col)
	case goneA == r.desc:
		return -1
	}
	return 1
}

// Matches implements [table.Source].
func (r *Comparison) Matches(i int, filter string) bool {
	if index, ok := r.left(i); ok {
		return r.then.Matches(index, filter)
	}
	return r.of.Matches(i, filter)
}

// Row implements [table.RowSource]: a row that exists at only one of the instants has a
// sign instead of the marker of its alarm, which is also shown in a column or on a page
// of its own.
func (r *Comparison) Row(i int, dst *table.Row) {
	if _, ok := r.left(i); ok {
		r.sign(dst, !r.other.Later)
		return
	}
	r.of.Row(i, dst)
	if _, both := r.was[r.of.Key(i)]; !both {
		r.sign(dst, r.other.Later)
	}
}

// sign marks a row as removed or added between the two instants.
func (r *Comparison) sign(dst *table.Row, gone bool) {
	dst.Marker, dst.MarkerStyle = "+", r.options.Theme.SGR(themes.Accent)
	if gone {
		dst.Marker = "-"
	}
}

// Cell implements [table.Source]: changed cells show both values, the earlier first.
func (r *Comparison) Cell(i, col int, dst *table.Cell) {
	if index, ok := r.left(i); ok {
		if r.compares(col) {
			r.then.Cell(index, col, dst)
		}
		dst.Style = r.options.Theme.SGR(themes.Dim)
		return
	}
	r.of.Cell(i, col, dst)
	index, both := r.was[r.of.Key(i)]
	if !both || !r.compares(col) || dst.Raw {
		return
	}
	other := table.Cell{Text: r.text[:0], Width: dst.Width}
	r.then.Cell(index, col, &other)
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
	if r.other.Later {
		first, second = second, first
	}
	if second == "" {
		second = string(r.unknown)
	}
	if first == "" {
		first = string(r.unknown)
	}
	dst.Want = r.options.Width.StringWidth(first + arrow + second)
	for _, one := range []string{first, strings.TrimSuffix(first, " %")} { // the unit only once if room is short
		if pair := one + arrow + second; r.options.Width.StringWidth(pair) <= dst.Width {
			dst.Text = append(dst.Text[:0], pair...)
			return
		}
	}
}

// compares reports whether the values of a column can be compared: growing times always
// differ, and past alarms are unknown.
func (r *Comparison) compares(col int) bool {
	c := &r.columns[col]
	return !c.NoFlash && c.ID != "alarm"
}
