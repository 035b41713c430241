package render

import (
	"strings"

	"wallboard/model"
	"wallboard/ui/table"
)

// Rows is a table's source that is fed from snapshots. It changes in place: hand
// it to the table again after every Update, and do not update it while the
// table is frozen.
type Rows interface {
	table.RowSource
	// Columns returns the columns, to be handed to the table once.
	Columns() []table.Column
	// Update takes over a snapshot, nil for none, and the present view. It
	// collects the rows again only when their records or the view's scope or
	// options have changed, so that it may be called on every tick.
	Update(s *model.Snapshot, v *View)
	// SetDescending says in which direction the table sorts, so that rows
	// with an unknown value come last in both. The source must be handed to
	// the table again after it.
	SetDescending(desc bool)
}

// row is a record with what is made from it once.
type row[R any] struct {
	rec  *R
	key  string
	name string
	text string // what a filter looks into, in lower case; "" is not made yet
}

// definition is what an entity is to a [source].
type definition[R any] struct {
	key     func(*R) string
	name    func(*View, *R) string
	version func(*R) uint64
	// ticks tells whether a row shows a duration that grows; nil is never.
	ticks func(*R) bool
	// words passes on what a filter looks into.
	words func(v *View, r *row[R], add func(string))
	// look sets the look of the row; nil is plain.
	look    func(v *View, r *row[R], dst *table.Row)
	columns []column[R]
}

// source implements [Rows] but for Update.
type source[R any] struct {
	def  definition[R]
	view View
	rows []row[R]

	from [2]any // the tables that the rows were collected from
	gen  uint64 // counts options and scopes
	desc bool

	filter string
	wanted []string // the words of filter
}

// begin takes a view over and tells whether the rows must be collected again
// from the given tables. When the options have changed it drops what was made
// with the old ones.
func (s *source[R]) begin(v *View, from ...any) bool {
	old := s.view
	s.view = *v
	same := old.Scope == v.Scope
	if old.Options != v.Options {
		same = false
		clear(s.rows)
		s.gen++
	}
	var now [2]any
	copy(now[:], from)
	if now != s.from {
		s.from, same = now, false
	}
	return !same
}

// collect makes the records that are kept the rows. A row whose record has not
// moved is taken over with all that was made from it.
func (s *source[R]) collect(records []*R, keep func(*R) bool) {
	n := 0
	for _, r := range records {
		if keep == nil || keep(r) {
			s.put(n, r)
			n++
		}
	}
	s.cut(n)
}

// put makes a record row n, which is an old row or the next one.
func (s *source[R]) put(n int, r *R) {
	if n == len(s.rows) {
		s.rows = append(s.rows, row[R]{})
	}
	if s.rows[n].rec != r {
		s.rows[n] = row[R]{rec: r, key: s.def.key(r), name: s.def.name(&s.view, r)}
	}
}

// cut drops the rows from n on.
func (s *source[R]) cut(n int) {
	clear(s.rows[n:])
	s.rows = s.rows[:n]
}

// SetDescending implements [Rows].
func (s *source[R]) SetDescending(desc bool) {
	if desc != s.desc {
		s.desc = desc
		s.gen++ // other versions, so that the table compares again
	}
}

// Columns implements [Rows].
func (s *source[R]) Columns() []table.Column {
	out := make([]table.Column, len(s.def.columns))
	for i := range s.def.columns {
		out[i] = s.def.columns[i].Column
	}
	return out
}

// Len implements [table.Source].
func (s *source[R]) Len() int { return len(s.rows) }

// Key implements [table.Source].
func (s *source[R]) Key(i int) string { return s.rows[i].key }

// Record returns the record of row i.
func (s *source[R]) Record(i int) *R { return s.rows[i].rec }

// Version implements [table.Source].
func (s *source[R]) Version(i int) uint64 {
	const secondBits = 20 // of 12 days: nothing is cached for longer
	r := s.rows[i].rec
	v := s.gen<<56 ^ s.def.version(r)<<secondBits
	if s.def.ticks != nil && s.def.ticks(r) {
		v ^= uint64(s.view.Now.Unix()) & (1<<secondBits - 1) //nolint:gosec // only the low bits matter
	}
	return v
}

// Cell implements [table.Source].
func (s *source[R]) Cell(i, col int, dst *table.Cell) {
	s.def.columns[col].cell(&s.view, &s.rows[i], dst)
}

// Row implements [table.RowSource].
func (s *source[R]) Row(i int, dst *table.Row) {
	if s.def.look != nil {
		s.def.look(&s.view, &s.rows[i], dst)
	}
}

// Compare implements [table.Source].
func (s *source[R]) Compare(i, j, col int) int {
	c := s.def.columns[col].order(&s.view, &s.rows[i], &s.rows[j])
	if s.desc && (c == unknownFirst || c == unknownSecond) {
		return -c
	}
	return c
}

// Matches implements [table.Source]: every word of the filter is somewhere in
// the row's text, whatever its case.
func (s *source[R]) Matches(i int, filter string) bool {
	if filter != s.filter {
		s.filter, s.wanted = filter, strings.Fields(strings.ToLower(filter))
	}
	text := s.text(&s.rows[i])
	for _, w := range s.wanted {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// text returns what a filter looks into. Its parts are apart, so that no word
// is found across two of them.
func (s *source[R]) text(r *row[R]) string {
	if r.text == "" {
		var b strings.Builder
		b.WriteByte('\n')
		s.def.words(&s.view, r, func(w string) {
			b.WriteString(strings.ToLower(w))
			b.WriteByte('\n')
		})
		r.text = b.String()
	}
	return r.text
}
