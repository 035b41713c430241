package render

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/table"
)

// Rows provides the rows and columns of a table, made from snapshots. Rows change in place, so they
// must be passed to the table again after every Update, and must not be updated while the table is
// frozen.
type Rows interface {
	table.RowSource
	table.ChangeTracker
	// SetLanguage sets the language of the columns; nil means English. It reports whether the language
	// was another one. The caller must then pass [Rows.Columns] to the table again.
	SetLanguage(l *words.Language) bool
	// Columns returns the selected columns.
	Columns() []table.Column
	// All returns all available columns, including the columns that are not selected.
	All() []table.Column
	// Pick selects the columns with the given IDs, in the order of ids. It ignores unknown IDs. If
	// no ID is known, it restores the default columns. The caller must then pass [Rows.Columns] to
	// the table again.
	Pick(ids ...string)
	// Update updates the rows from the snapshot s and the view v. s may be nil. The rows are
	// collected again only if their records or the scope or options of the view have changed, so
	// Update may be called on every tick.
	Update(s *model.Snapshot, v *View)
	// SetDescending sets the direction in which the table sorts. Rows with an unknown value come
	// last in both directions. The caller must then pass the source to the table again.
	SetDescending(desc bool)
	// Memoize returns the result of find for the current rows. Boards with the same rows share the
	// result, so it must depend only on the rows and the key.
	Memoize(key any, find func() any) any
}

// row is a record with values that are computed from it only once.
type row[R any] struct {
	record          *R
	key             string
	name            string
	sortKey         string // name in the form in which it is compared
	nameDistinction nameDistinction

	alarm *Alarm // nil: the record has no alert
}

// nameDistinction describes how a name that must be cut remains distinguishable from all other
// names.
type nameDistinction struct {
	// distinctCells is the number of leading cells that distinguish the name from all other names.
	// It is 0 if minNameWidth cells are enough.
	distinctCells int
	endsWithKey   bool // the key follows the name, because another record has the same name
}

// searchText caches the texts of a row that a filter searches.
type searchText struct {
	text string // all texts without case and accents; "" until they are needed
	// prefixes are texts of which a filter matches only the beginning: the word for the state in the language
	// of the view, in English, and in earlier versions of the program. "" matches nothing.
	prefixes [3]string
}

// sourceSpec describes the rows and columns for one kind of record.
type sourceSpec[R any] struct {
	key  func(*R) string
	name func(*View, *R) string
	// isNamesake reports whether another record has the same name as the record with the given key;
	// nil means that there are no such records.
	isNamesake func(key string) bool
	// renamed reports whether two versions of a record have different names; nil means that they
	// may have.
	renamed func(old, current *R) bool
	version func(*R) uint64
	// showsClock reports whether the row of a record shows a duration that grows with the clock;
	// nil means that no row does.
	showsClock func(*R) bool
	// alertKey returns the key under which alerts about a record are stored; its scope is
	// alertScope. alertKey is nil if there are no alerts about such records.
	alertKey   func(*R) alert.Key
	alertScope alert.Scope
	// showsTrend is true if the rows show samples of a figure.
	showsTrend bool
	// sortsByClock is true if the order of the rows may change with the clock.
	sortsByClock bool
	// searchWords calls add with each text of the row r that a filter searches.
	searchWords func(v *View, r *row[R], add func(string))
	// stateWord returns the word for the state of a record. A filter matches only the start of this
	// word, because "ready" must not match "Not ready". stateWord is nil if the records have no
	// state.
	stateWord func(*R) words.Text
	// formerWord returns the word for the state in earlier versions of the program, or "". It is
	// nil if stateWord is.
	formerWord func(*R) string
	// drawRow sets the mark and the color of a whole row; nil means that rows have neither.
	drawRow         func(v *View, r *row[R], dst *table.Row)
	columns         []column[R]
	optionalColumns []column[R] // columns that are shown only if they are picked
	legend          textformat.Legend
	defaults        []column[R] // default columns, while other columns are selected; nil: columns holds the default columns
}

// source implements all methods of [Rows] except Update.
type source[R any] struct {
	spec     sourceSpec[R]
	language *words.Language // language of the columns; nil: English
	view     View
	rows     []row[R]
	// searchTexts holds the texts that a filter searches, for each row. It is nil until a filter
	// needs them.
	searchTexts []searchText

	origins        [3]tableState // state of each table from which the rows were collected
	records        []*R          // all records of the table; the rows show a selection of them
	rowIndexes     []int32       // for each of records, the index of its row, or -1 if it has none
	recordRowCount int           // number of rows made from records; they come before the other rows
	generation     uint64        // counts changes that concern all rows, such as other options or marks
	descending     bool          // the table sorts in descending order

	version      uint64  // number of updates that changed something
	changed      []int32 // indexes of the rows that were changed by the last update
	rowsMoved    bool    // the last update may have moved rows, so changed is incomplete
	namesChanged bool    // the current update has changed names

	filter        string
	parsedFilter  table.Filter // parsed form of filter
	filterColumns []column[R]  // all columns when filter was parsed; the conditions refer to their indexes

	shared *sharedRows // the shared rows, which must not be changed; nil: not shared
}

// tableState identifies a table of a snapshot and the generation of the table.
type tableState struct {
	table      any
	generation uint64
}

func tableStateOf[K comparable, R any](t *model.Table[K, R]) tableState {
	return tableState{t, t.Generation()}
}

// rowChange describes how much the records have changed since the last update.
type rowChange int

const (
	rowsUnchanged rowChange = iota
	keysUnchanged           // the records have the same keys in the same places
	keysChanged             // records were added, removed or moved, or all rows must be computed again
)

// setView sets the view and returns the previous view. It truncates the time of the view to the
// second, because rows have one version per second. A row drawn at the start of a second is valid
// until its end, also on other boards.
func (s *source[R]) setView(v *View) (previous View) {
	previous, s.view = s.view, *v
	s.view.Now = v.Now.Truncate(time.Second)
	return previous
}

// beginUpdate sets the view and returns how much the given tables have changed. After a change of the
// scope or the options, it returns keysChanged; it drops all values computed with the old options.
func (s *source[R]) beginUpdate(v *View, tables ...tableState) rowChange {
	old, previous := s.setView(v), s.origins
	copy(s.origins[:], tables)
	n := rowsUnchanged
	switch {
	case s.shared != nil:
		s.shared, s.rows, s.searchTexts = nil, nil, nil
		s.generation++
		n = keysChanged
	case old.Options != v.Options:
		clear(s.rows)
		s.searchTexts = nil
		s.generation++
		n = keysChanged
	case old.Scope != v.Scope:
		s.generation++ // because a user without figures has records with the same version on all channels
		n = keysChanged
	case recordSetChanged(previous, s.origins):
		n = keysChanged
	case previous != s.origins:
		n = keysUnchanged
	}
	marked := old.Marks != v.Marks
	alarmed := old.Alerts.alarmsInScope(s.spec.alertScope) != v.Alerts.alarmsInScope(s.spec.alertScope)
	if n != rowsUnchanged || marked || alarmed || old.Now.Unix() != v.Now.Unix() {
		s.version++
		s.changed, s.rowsMoved = s.changed[:0], false
	}
	if alarmed {
		s.updateAlarms()
	}
	if marked {
		s.generation++ // gives new versions to all rows, so that marks appear and disappear
		s.rowsMoved = true
	}
	if (s.spec.sortsByClock || table.HasConditions(s.filter)) && old.Now.Unix() != v.Now.Unix() {
		s.rowsMoved = true
	}
	return n
}

// updateAlarms sets the alarms of the rows to those of the view.
func (s *source[R]) updateAlarms() {
	for i := range s.rows {
		r := &s.rows[i]
		if a := s.alarmOf(r.record); r.record != nil && a != r.alarm {
			r.alarm = a
			s.dropSearchText(i)
			s.changed = append(s.changed, int32(i))
		}
	}
}

// alarmOf returns the alarm of the record r. It returns nil if the record has no alerts.
func (s *source[R]) alarmOf(r *R) *Alarm {
	scoped := s.view.Alerts.alarmsInScope(s.spec.alertScope)
	if s.spec.alertKey == nil || scoped == nil || len(scoped.byKey) == 0 || r == nil {
		return nil
	}
	return scoped.byKey[s.spec.alertKey(r)]
}

// recordSetChanged reports whether records were added to one of the tables or removed from it. old
// and current are the earlier and the current states of the tables.
func recordSetChanged(old, current [3]tableState) bool {
	for i := range old {
		if old[i].generation != current[i].generation {
			return true
		}
	}
	return false
}

// collectRows makes a row for each record for which keep returns true, and returns the number of these
// rows. A nil keep accepts all records. If n is keysUnchanged, collectRows does not call keep, but
// accepts the same records as in the last call. If a record has neither changed nor moved, its row
// keeps the computed values.
func (s *source[R]) collectRows(n rowChange, records []*R, keep func(*R) bool) int {
	if n == keysUnchanged {
		return s.updateSameRows(records)
	}
	s.records, s.rowIndexes, s.recordRowCount = records, s.rowIndexes[:0], 0
	for _, r := range records {
		if keep != nil && !keep(r) {
			s.rowIndexes = append(s.rowIndexes, -1)
			continue
		}
		s.rowIndexes = append(s.rowIndexes, int32(s.recordRowCount)) //nolint:gosec // the number of rows is small
		s.setRow(s.recordRowCount, r)
		s.recordRowCount++
	}
	return s.recordRowCount
}

// updateSameRows replaces the records whose pointers have changed, and returns the number of rows. The
// records must have the same keys at the same indexes as in the last call of collectRows.
func (s *source[R]) updateSameRows(records []*R) int {
	for i, r := range records {
		if r == s.records[i] {
			continue
		}
		if index := s.rowIndexes[i]; index >= 0 {
			s.replaceRecord(int(index), r, s.rows[index].key, s.rows[index].alarm)
		}
	}
	s.records = records
	return s.recordRowCount
}

// setRow stores the record r in row n. If n is the number of rows, it appends a row.
func (s *source[R]) setRow(n int, r *R) {
	if n == len(s.rows) {
		s.rows = append(s.rows, row[R]{})
		s.rowsMoved = true
	}
	old := &s.rows[n]
	if old.record == r {
		return
	}
	key := s.spec.key(r)
	if old.record == nil || old.key != key {
		s.rowsMoved = true
	}
	s.replaceRecord(n, r, key, s.alarmOf(r))
}

// replaceRecord replaces the record, the key and the alarm of row n.
func (s *source[R]) replaceRecord(n int, r *R, key string, alarm *Alarm) {
	old := &s.rows[n]
	s.changed = append(s.changed, int32(n)) //nolint:gosec // the number of rows is small
	if old.record == nil || old.key != key || s.spec.renamed == nil || s.spec.renamed(old.record, r) {
		name := s.spec.name(&s.view, r)
		if old.nameDistinction.endsWithKey = s.spec.isNamesake != nil && name != key && s.spec.isNamesake(key); old.nameDistinction.endsWithKey {
			name += " (" + key + ")"
		}
		if old.record == nil || old.name != name {
			old.name, old.sortKey = name, table.NameSortKey(name, s.view.Options.Words.Tag())
			s.namesChanged = true
		}
	}
	old.record, old.key, old.alarm = r, key, alarm
	s.dropSearchText(n)
}

func (s *source[R]) dropSearchText(n int) {
	if n < len(s.searchTexts) {
		s.searchTexts[n] = searchText{}
	}
}

// truncate removes the rows from index n on and ends an update of the rows.
func (s *source[R]) truncate(n int) {
	if n < len(s.rows) {
		s.rowsMoved, s.namesChanged = true, true
	}
	clear(s.rows[n:])
	s.rows = s.rows[:n]
	if n < len(s.searchTexts) {
		clear(s.searchTexts[n:])
		s.searchTexts = s.searchTexts[:n]
	}
	if s.namesChanged {
		s.namesChanged = false
		s.findSimilarNames()
	}
}

// Since implements [table.ChangeTracker].
func (s *source[R]) Since(mark uint64) (rows []int32, current uint64, ok bool) {
	switch {
	case mark == s.version:
		return nil, s.version, true
	case mark+1 == s.version && !s.rowsMoved:
		return s.changed, s.version, true
	}
	return nil, s.version, false
}

// SetDescending implements [Rows].
func (s *source[R]) SetDescending(desc bool) {
	if desc != s.descending {
		s.descending = desc
		s.generation++ // gives new versions to all rows, so that the table compares them again
		s.version++
		s.rowsMoved = true
	}
}

// SetLanguage implements [Rows].
func (s *source[R]) SetLanguage(l *words.Language) bool {
	if s.language == l {
		return false
	}
	s.language = l
	s.filter, s.parsedFilter = "", table.Filter{} // the conditions of the filter name columns
	return true
}

// Columns implements [Rows].
func (s *source[R]) Columns() []table.Column { return s.translateColumns(s.spec.columns) }

// All implements [Rows].
func (s *source[R]) All() []table.Column { return s.translateColumns(s.spec.allColumns()) }

// Len implements [table.Source].
func (s *source[R]) Len() int { return len(s.rows) }

// Key implements [table.Source].
func (s *source[R]) Key(i int) string { return s.rows[i].key }

// Record returns the record of row i.
func (s *source[R]) Record(i int) *R { return s.rows[i].record }

// Version implements [table.Source].
func (s *source[R]) Version(i int) uint64 {
	const secondBits = 20 // 2^20 seconds are 12 days; no drawing is cached for longer
	r := s.rows[i].record
	v := s.generation<<56 ^ s.spec.version(r)<<secondBits
	const spread = 0x9E3779B97F4A7C15 // spreads the IDs of alarms, so that they do not collide with versions
	v ^= s.rows[i].alarm.id() * spread
	if s.spec.showsClock != nil && s.spec.showsClock(r) {
		v ^= uint64(s.view.Now.Unix()) & (1<<secondBits - 1) //nolint:gosec // only the low bits matter
	}
	if n := s.rows[i].nameDistinction; n != (nameDistinction{}) {
		const spread = 0xC2B2AE3D27D4EB4F
		v ^= uint64(2*n.distinctCells+1) * spread //nolint:gosec // the width of a name is small
	}
	if s.spec.showsTrend {
		v ^= s.view.trendVersion()
	}
	return v
}

// SharedRowID implements [table.SharedSource]. Rows are not shared while the board has marks,
// because the marks belong to one board.
func (s *source[R]) SharedRowID(i int) (table.RowID, bool) {
	if s.spec.alertKey == nil || s.view.CacheKey == nil || s.view.Marks != nil {
		return table.RowID{}, false
	}
	r := &s.rows[i]
	return table.RowID{Record: r.record, Options: s.view.Options, Alarm: r.alarm, Scope: s.view.CacheKey, Version: s.Version(i) ^ s.generation<<56}, true
}

// Cell implements [table.Source].
func (s *source[R]) Cell(i, col int, dst *table.Cell) {
	s.spec.columns[col].cell(&s.view, &s.rows[i], dst)
}

// Value implements [table.RowSource].
func (s *source[R]) Value(i, col int) table.Value { return s.valueIn(&s.spec.columns[col], &s.rows[i]) }

// valueIn returns the value of the row r in the column c. If figures are blanked, figures and
// momentary values are unknown.
func (s *source[R]) valueIn(c *column[R], r *row[R]) table.Value {
	out := c.value(&s.view, r)
	if s.view.Options.BlankFigures && (c.HasFigures || c.Momentary) {
		out.Known = false
	}
	return out
}

// Row implements [table.RowSource].
func (s *source[R]) Row(i int, dst *table.Row) {
	if s.spec.drawRow != nil {
		s.spec.drawRow(&s.view, &s.rows[i], dst)
	}
}

// Compare implements [table.Source].
func (s *source[R]) Compare(i, j, col int) int {
	c := s.spec.columns[col].compareRows(&s.view, &s.rows[i], &s.rows[j])
	if s.descending && (c == alwaysFirst || c == alwaysSecond) {
		return -c
	}
	return c
}

// OnlyAlerts is a filter that matches only rows with an alert. It does not match rows whose alerts
// are shown only in the cells of figures of the day.
const OnlyAlerts = "!"

// Matches implements [table.Source]. A row matches if all conditions and all words of the filter
// match. A word matches if it occurs in a string of the row, or if the word for the row's state
// begins with it. Case and accents are ignored.
func (s *source[R]) Matches(i int, filter string) bool {
	if filter != s.filter {
		s.filter, s.parsedFilter, s.filterColumns = filter, table.ParseFilter(filter, s.All()), s.spec.allColumns()
	}
	if more := len(s.rows) - len(s.searchTexts); more > 0 {
		s.searchTexts = append(s.searchTexts, make([]searchText, more)...)
	}
	r, in := &s.rows[i], s.searchTextOf(i)
	for _, w := range s.parsedFilter.Words {
		if w.Text == OnlyAlerts && s.spec.alertKey != nil {
			if !r.alarm.hasReasons() {
				return false
			}
			continue
		}
		begins := func(phrase string) bool {
			return slices.ContainsFunc(in.prefixes[:], func(p string) bool { return strings.HasPrefix(p, phrase) })
		}
		if !strings.Contains(in.text, w.Text) && !slices.ContainsFunc(w.Phrases, begins) {
			return false
		}
	}
	return s.parsedFilter.MeetsConditions(func(column int) table.Value { return s.valueIn(&s.filterColumns[column], r) })
}

// searchTextOf returns the strings of row i that a filter searches, separated by line breaks, so
// that a word of a filter cannot match across two of them.
func (s *source[R]) searchTextOf(i int) *searchText {
	out := &s.searchTexts[i]
	if out.text == "" {
		var b strings.Builder
		b.WriteByte('\n')
		s.spec.searchWords(&s.view, &s.rows[i], func(w string) {
			b.WriteString(textnorm.Fold(w))
			b.WriteByte('\n')
		})
		out.text = b.String()
		if s.spec.stateWord != nil {
			word := s.spec.stateWord(s.rows[i].record)
			for n, text := range []string{s.view.translate(word), word.In(nil), s.spec.formerWord(s.rows[i].record)} {
				out.prefixes[n] = textnorm.Fold(text)
			}
		}
	}
	return out
}

// translateColumns returns columns in the language of the source, with their explanations.
func (s *source[R]) translateColumns(columns []column[R]) []table.Column {
	out := make([]table.Column, len(columns))
	for i := range columns {
		out[i] = columns[i].inLanguage(s.language)
		if out[i].Explanation == "" {
			out[i].Explanation = s.spec.legend[out[i].ID].In(s.language)
		}
	}
	return out
}
