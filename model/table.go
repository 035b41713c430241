package model

import (
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"slices"
)

// Table is an immutable set of records with one key each. The zero value and a
// nil table are empty.
type Table[K comparable, T any] struct {
	rows       []*T
	index      map[K]int
	generation uint64
}

// Len returns the number of records.
func (t *Table[K, T]) Len() int {
	if t == nil {
		return 0
	}
	return len(t.rows)
}

// Get returns the record with a key, or nil.
func (t *Table[K, T]) Get(k K) *T {
	if t == nil {
		return nil
	}
	if i, ok := t.index[k]; ok {
		return t.rows[i]
	}
	return nil
}

// Place returns where in [Table.Rows] the record with a key is, or where the next one would
// be that is new.
func (t *Table[K, T]) Place(k K) (at int, there bool) {
	if t == nil {
		return 0, false
	}
	if i, ok := t.index[k]; ok {
		return i, true
	}
	return len(t.rows), false
}

// Rows returns all records, in no order that means anything. Neither the slice
// nor the records may be changed.
func (t *Table[K, T]) Rows() []*T {
	if t == nil {
		return nil
	}
	return t.rows
}

// Generation returns a number that grows whenever a record is added or removed.
// Two tables of one store with the same generation hold records with the same
// keys in the same places of [Table.Rows]: they differ in what these say only.
func (t *Table[K, T]) Generation() uint64 {
	if t == nil {
		return 0
	}
	return t.generation
}

// All iterates over the records, in no order that means anything.
func (t *Table[K, T]) All() iter.Seq[*T] { return slices.Values(t.Rows()) }

// Sorted returns the records in the order of their keys: by code or name, then by
// channel and component in the order of document 2.
func (t *Table[K, T]) Sorted() []*T {
	rows := make([]*T, 0, t.Len()) // never nil: an empty list is [], not null
	if t.Len() == 0 {
		return rows
	}
	for _, k := range slices.SortedFunc(maps.Keys(t.index), keyOrder[K]()) {
		rows = append(rows, t.Get(k))
	}
	return rows
}

// MarshalJSON writes the records in the order of their keys.
func (t *Table[K, T]) MarshalJSON() ([]byte, error) {
	return json.Marshal(t.Sorted()) //nolint:wrapcheck // the caller's encoder names the type
}

// Record is a pointer to a record of this package.
type Record[K comparable, T any] interface {
	*T
	Key() K
	stamp(version uint64)
	version() uint64
}

// Live is a table that is being written. It shares its rows and its index with
// the last published [Table] and copies them at the first write after that, so
// that publishing costs one copy of the pointers at most.
type Live[K comparable, T any, R Record[K, T]] struct {
	clock *uint64 // versions of all tables of one store come from one counter

	rows        []*T
	index       map[K]int
	generation  uint64 // of [Table.Generation]
	published   *Table[K, T]
	told        map[K]uint64 // the version before amendments, of the records that have some
	rowsShared  bool
	indexShared bool
	dirty       bool
}

// Get returns the present record with a key, or nil. It must not be changed.
func (l *Live[K, T, R]) Get(k K) *T {
	if i, ok := l.index[k]; ok {
		return l.rows[i]
	}
	return nil
}

// Place returns where in [Live.Rows] the record with a key is, or where the next one would
// be that is new.
func (l *Live[K, T, R]) Place(k K) (at int, there bool) {
	if i, ok := l.index[k]; ok {
		return i, true
	}
	return len(l.rows), false
}

// Len returns the number of records.
func (l *Live[K, T, R]) Len() int { return len(l.rows) }

// Rows returns the present records, in no order that means anything. They must
// not be changed, and the slice is good until the next write only.
func (l *Live[K, T, R]) Rows() []*T { return l.rows }

// ChangedSince reports whether a record was written after the store's versions
// had reached a number (see [Store.Version]).
// An amendment is no change.
func (l *Live[K, T, R]) ChangedSince(r *T, version uint64) bool {
	if told, ok := l.told[R(r).Key()]; ok {
		return told > version
	}
	return R(r).version() > version
}

// Amend puts a record like [Live.Put], for derived values that no server has sent.
func (l *Live[K, T, R]) Amend(r *T) {
	k := R(r).Key()
	told, ok := l.told[k]
	if old := l.Get(k); !ok && old != nil {
		told = R(old).version()
	}
	l.Put(r)
	if l.told == nil {
		l.told = make(map[K]uint64)
	}
	l.told[k] = told
}

// Put takes a record over, in the place of the one with the same key, and
// gives it a new version. The store owns the record from then on.
func (l *Live[K, T, R]) Put(r *T) {
	*l.clock++
	R(r).stamp(*l.clock)
	l.dirty = true
	k := R(r).Key()
	delete(l.told, k)
	if i, ok := l.index[k]; ok {
		l.ownRows()
		l.rows[i] = r
		return
	}
	l.ownRows()
	l.ownIndex()
	l.index[k] = len(l.rows)
	l.rows = append(l.rows, r)
	l.generation++
}

// Delete removes the record with a key and reports whether there was one.
func (l *Live[K, T, R]) Delete(k K) bool {
	i, ok := l.index[k]
	if !ok {
		return false
	}
	l.ownRows()
	l.ownIndex()
	last := len(l.rows) - 1
	if i != last {
		l.rows[i] = l.rows[last]
		l.index[R(l.rows[i]).Key()] = i
	}
	l.rows[last] = nil
	l.rows = l.rows[:last]
	delete(l.index, k)
	delete(l.told, k)
	l.generation++
	l.dirty = true
	return true
}

// Replace makes rows the whole content. A record that says the same as the
// present one leaves that one in place, version and all, so that a resync
// redraws only what it changed. It returns how many records were added,
// changed and removed.
func (l *Live[K, T, R]) Replace(rows []*T) (added, changed, removed int) {
	seen := make(map[K]bool, len(rows))
	for _, r := range rows {
		k := R(r).Key()
		seen[k] = true
		old := l.Get(k)
		switch {
		case old == r: // it may be read at this moment
			continue
		case old == nil:
			added++
		case same[K, T, R](old, r):
			continue
		default:
			changed++
		}
		l.Put(r)
	}
	if len(seen) == len(l.rows) {
		return added, changed, 0
	}
	for _, r := range slices.Clone(l.rows) {
		if k := R(r).Key(); !seen[k] {
			l.Delete(k)
			removed++
		}
	}
	return added, changed, removed
}

// same compares two records but for their versions.
func same[K comparable, T any, R Record[K, T]](old, r *T) bool {
	R(r).stamp(R(old).version())
	return reflect.DeepEqual(old, r)
}

func (l *Live[K, T, R]) ownRows() {
	if l.rowsShared {
		l.rows = append(make([]*T, 0, len(l.rows)+1), l.rows...)
		l.rowsShared = false
	}
}

func (l *Live[K, T, R]) ownIndex() {
	switch {
	case l.index == nil:
		l.index = make(map[K]int)
	case l.indexShared:
		l.index = maps.Clone(l.index)
	}
	l.indexShared = false
}

// publish returns the content as an immutable table: the one published last
// when nothing was written since.
func (l *Live[K, T, R]) publish() *Table[K, T] {
	if l.dirty || l.published == nil {
		l.published = &Table[K, T]{
			rows: l.rows[:len(l.rows):len(l.rows)], index: l.index, generation: l.generation,
		}
		l.rowsShared, l.indexShared, l.dirty = true, true, false
	}
	return l.published
}
