package render

import (
	"slices"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/internal/typed"
	"wallboard/model"
	"wallboard/ui/collate"
	"wallboard/ui/legend"
	"wallboard/ui/table"
)

// Rows is a table's source that is fed from snapshots. It changes in place: hand
// it to the table again after every Update, and do not update it while the
// table is frozen.
type Rows interface {
	table.RowSource
	table.Tracker
	// Columns returns the columns, to be handed to the table once.
	Columns() []table.Column
	// All returns the columns that there are, whatever was picked.
	All() []table.Column
	// Pick makes the columns with the given IDs the only ones, in that order; a table
	// must be given [Rows.Columns] again at once. Of none, and of unknown ones, it
	// keeps the usual ones.
	Pick(ids ...string)
	// Update takes over a snapshot, nil for none, and the present view. It
	// collects the rows again only when their records or the view's scope or
	// options have changed, so that it may be called on every tick.
	Update(s *model.Snapshot, v *View)
	// SetDescending says in which direction the table sorts, so that rows
	// with an unknown value come last in both. The source must be handed to
	// the table again after it.
	SetDescending(desc bool)
	// Once returns what is found of the rows of this moment, which is not looked for again
	// where others show the same rows; it goes by nothing but these and the key.
	Once(key any, find func() any) any
}

// row is a record with what is made from it once.
type row[R any] struct {
	rec  *R
	key  string
	name string
	fold string // what the name is sorted by

	alarm *Alarm // nil: nothing is wrong
}

// found is what a filter looks into of a row.
type found struct {
	text string // in lower case; "" is not made yet
	head string // what it finds from the beginning only
}

// definition is what an entity is to a [source].
type definition[R any] struct {
	key  func(*R) string
	name func(*View, *R) string
	// renamed reports whether two records of one key have different names; nil is
	// always.
	renamed func(was, is *R) bool
	version func(*R) uint64
	// ticks reports whether a row shows a duration that grows; nil is never.
	ticks func(*R) bool
	// about returns the key by which alerts name the record; nil: there are none
	// about this entity, whose scope is alerted.
	about   func(*R) alert.Key
	alerted alert.Scope
	// trended tells that a row shows samples.
	trended bool
	// moves tells that the order of rows may change with the clock.
	moves bool
	// words passes on what a filter looks into.
	words func(v *View, r *row[R], add func(string))
	// state returns the word of a record's state, which a filter finds from its
	// beginning only: "ready" is not to find "Not ready". nil: there is none.
	state func(*R) string
	// look sets the look of the row; nil is plain.
	look    func(v *View, r *row[R], dst *table.Row)
	columns []column[R]
	extra   []column[R] // that are there only where they are picked
	legend  legend.Legend
	usual   []column[R] // those that are there where none are picked; nil: columns
}

// source implements [Rows] but for Update.
type source[R any] struct {
	def  definition[R]
	view View
	rows []row[R]
	// found is made for a filter: by row, nil where nobody looks for anything.
	found []found

	from    [3]origin // the tables that the rows were collected from
	records []*R      // the records that they were chosen from
	places  []int32   // the row of each of these, -1 for none
	kept    int       // how many of them have a row
	gen     uint64    // counts options, scopes and directions
	desc    bool

	mark    uint64  // counts updates that changed anything
	changed []int32 // the rows that the last of them changed
	moved   bool    // it moved rows: changed is not all

	filter string
	wanted []wanted // the words of filter

	lent *roll // rows are of this one, and must not be changed; nil: they are the source's own
}

// wanted is a word of a filter, and what ends with it: "not ready" and "ready".
type wanted struct {
	word    string
	phrases []string
}

// origin is a table that rows are collected from.
type origin struct {
	table      any
	generation uint64
}

func of[K comparable, R any](t *model.Table[K, R]) origin { return origin{t, t.Generation()} }

// news is what an update brings.
type news int

const (
	nothing news = iota
	values       // the records have the same keys in the same places
	anything
)

// take takes a view over, as of its whole second, and returns the one before. Rows have a
// version for each second: one that was drawn at its beginning is shown until its end, by
// other boards, too.
func (s *source[R]) take(v *View) (before View) {
	before, s.view = s.view, *v
	s.view.Now = v.Now.Truncate(time.Second)
	return before
}

// begin takes a view over and tells what the given tables bring. When the
// options have changed it drops what was made with the old ones.
func (s *source[R]) begin(v *View, from ...origin) news {
	old, was := s.take(v), s.from
	copy(s.from[:], from)
	n := nothing
	switch {
	case s.lent != nil:
		s.giveBack()
		s.gen++
		n = anything
	case old.Options != v.Options:
		clear(s.rows)
		s.found = nil
		s.gen++
		n = anything
	case old.Scope != v.Scope:
		s.gen++ // a user without figures has one version on all channels
		n = anything
	case moved(was, s.from):
		n = anything
	case was != s.from:
		n = values
	}
	marked := old.Marks != v.Marks
	alarmed := old.Alerts.in(s.def.alerted) != v.Alerts.in(s.def.alerted)
	if n != nothing || marked || alarmed || old.Now.Unix() != v.Now.Unix() {
		s.mark++
		s.changed, s.moved = s.changed[:0], false
	}
	if alarmed {
		s.alarm()
	}
	if marked {
		s.gen++ // other versions, so that marks are drawn and go again
		s.moved = true
	}
	if s.def.moves && old.Now.Unix() != v.Now.Unix() {
		s.moved = true
	}
	return n
}

// alarm notes what is now wrong with the rows that there are.
func (s *source[R]) alarm() {
	for i := range s.rows {
		r := &s.rows[i]
		if a := s.alarmOf(r.rec); r.rec != nil && a != r.alarm {
			r.alarm = a
			s.stale(i)
			s.changed = append(s.changed, int32(i))
		}
	}
}

// alarmOf returns what is wrong with a record.
func (s *source[R]) alarmOf(r *R) *Alarm {
	at := s.view.Alerts.in(s.def.alerted)
	if s.def.about == nil || at == nil || len(at.of) == 0 || r == nil {
		return nil
	}
	return at.of[s.def.about(r)]
}

// moved reports whether records were added to a table or removed from it.
func moved(was, is [3]origin) bool {
	for i := range was {
		if was[i].generation != is[i].generation {
			return true
		}
	}
	return false
}

// collect makes the records that are kept the first rows and returns how many
// they are. keep must go by what never changes in a record, unless n is
// anything. A row whose record has not moved is taken over with all that was
// made from it.
func (s *source[R]) collect(n news, records []*R, keep func(*R) bool) int {
	if n == values {
		return s.follow(records)
	}
	s.records, s.places, s.kept = records, s.places[:0], 0
	for _, r := range records {
		if keep != nil && !keep(r) {
			s.places = append(s.places, -1)
			continue
		}
		s.places = append(s.places, int32(s.kept)) //nolint:gosec // there are never that many rows
		s.put(s.kept, r)
		s.kept++
	}
	return s.kept
}

// follow is collect for records that have the same keys in the same places as
// the last ones: only pointers are compared.
func (s *source[R]) follow(records []*R) int {
	for i, r := range records {
		if r == s.records[i] {
			continue
		}
		if at := s.places[i]; at >= 0 {
			s.set(int(at), r, s.rows[at].key, s.rows[at].alarm)
		}
	}
	s.records = records
	return s.kept
}

// put makes a record row n, which is an old row or the next one.
func (s *source[R]) put(n int, r *R) {
	if n == len(s.rows) {
		s.rows = append(s.rows, row[R]{})
		s.moved = true
	}
	old := &s.rows[n]
	if old.rec == r {
		return
	}
	key := s.def.key(r)
	if old.rec == nil || old.key != key {
		s.moved = true
	}
	s.set(n, r, key, s.alarmOf(r))
}

// set gives row n another record.
func (s *source[R]) set(n int, r *R, key string, alarm *Alarm) {
	old := &s.rows[n]
	s.changed = append(s.changed, int32(n)) //nolint:gosec // there are never that many rows
	if old.rec == nil || old.key != key || s.def.renamed == nil || s.def.renamed(old.rec, r) {
		if name := s.def.name(&s.view, r); old.rec == nil || old.name != name {
			old.name, old.fold = name, collate.Key(name)
		}
	}
	old.rec, old.key, old.alarm = r, key, alarm
	s.stale(n)
}

// stale has what a filter looks into of row n be made anew.
func (s *source[R]) stale(n int) {
	if n < len(s.found) {
		s.found[n] = found{}
	}
}

// cut drops the rows from n on.
func (s *source[R]) cut(n int) {
	if n < len(s.rows) {
		s.moved = true
	}
	clear(s.rows[n:])
	s.rows = s.rows[:n]
	if n < len(s.found) {
		clear(s.found[n:])
		s.found = s.found[:n]
	}
}

// Since implements [table.Tracker].
func (s *source[R]) Since(mark uint64) (rows []int32, now uint64, ok bool) {
	switch {
	case mark == s.mark:
		return nil, s.mark, true
	case mark+1 == s.mark && !s.moved:
		return s.changed, s.mark, true
	}
	return nil, s.mark, false
}

// SetDescending implements [Rows].
func (s *source[R]) SetDescending(desc bool) {
	if desc != s.desc {
		s.desc = desc
		s.gen++ // other versions, so that the table compares again
		s.mark++
		s.moved = true
	}
}

// Columns implements [Rows].
func (s *source[R]) Columns() []table.Column { return tableColumns(&s.def, s.def.columns) }

// All implements [Rows].
func (s *source[R]) All() []table.Column { return tableColumns(&s.def, s.def.every()) }

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
	const spread = 0x9E3779B97F4A7C15 // alarms are another number each: it must not meet a version's
	v ^= s.rows[i].alarm.id() * spread
	if s.def.ticks != nil && s.def.ticks(r) {
		v ^= uint64(s.view.Now.Unix()) & (1<<secondBits - 1) //nolint:gosec // only the low bits matter
	}
	if s.def.trended {
		v ^= s.view.trendVersion()
	}
	return v
}

// Share implements [table.Shared]. A mark is that of one board's action.
func (s *source[R]) Share(i int) (table.RowID, bool) {
	if s.def.about == nil || s.view.Shared == nil || s.view.Marks != nil {
		return table.RowID{}, false
	}
	r := &s.rows[i]
	return table.RowID{Record: r.rec, Options: s.view.Options, Alarm: r.alarm, Scope: s.view.Shared, Version: s.Version(i) ^ s.gen<<56}, true
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
	if s.desc && (c == firstAnyway || c == secondAnyway) {
		return -c
	}
	return c
}

// OnlyAlerts is the word of a filter that leaves only the rows with an alert: agents over a
// limit, services in trouble.
const OnlyAlerts = "!"

// Matches implements [table.Source]: every word of the filter is somewhere in
// the row's text, or the row's state begins with it, whatever its case.
func (s *source[R]) Matches(i int, filter string) bool {
	if filter != s.filter {
		s.filter, s.wanted = filter, wantedBy(filter)
	}
	if more := len(s.rows) - len(s.found); more > 0 {
		s.found = append(s.found, make([]found, more)...)
	}
	r, in := &s.rows[i], s.text(i)
	for _, w := range s.wanted {
		if w.word == OnlyAlerts && s.def.about != nil {
			if r.alarm == nil {
				return false
			}
			continue
		}
		begins := func(phrase string) bool { return strings.HasPrefix(in.head, phrase) }
		if !strings.Contains(in.text, w.word) && !slices.ContainsFunc(w.phrases, begins) {
			return false
		}
	}
	return true
}

func wantedBy(filter string) []wanted {
	words := strings.Fields(typed.Fold(filter))
	out := make([]wanted, len(words))
	for i, w := range words {
		out[i].word = w
		for from := range i + 1 {
			out[i].phrases = append(out[i].phrases, strings.Join(words[from:i+1], " "))
		}
	}
	return out
}

// text returns what a filter looks into. Its parts are apart, so that no word
// is found across two of them.
func (s *source[R]) text(i int) *found {
	out := &s.found[i]
	if out.text == "" {
		var b strings.Builder
		b.WriteByte('\n')
		s.def.words(&s.view, &s.rows[i], func(w string) {
			b.WriteString(typed.Fold(w))
			b.WriteByte('\n')
		})
		out.text = b.String()
		if s.def.state != nil {
			out.head = typed.Fold(s.def.state(s.rows[i].rec))
		}
	}
	return out
}

// tableColumns returns columns as a table knows them, with what they mean.
func tableColumns[R any](d *definition[R], columns []column[R]) []table.Column {
	out := make([]table.Column, len(columns))
	for i := range columns {
		out[i] = columns[i].Column
		if out[i].About == "" {
			out[i].About = d.legend[out[i].ID]
		}
	}
	return out
}
