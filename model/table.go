package model

import (
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"slices"
)

// Table is an immutable set of records with unique keys. The zero value and a nil table are empty.
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

// Get returns the record with a key, or nil if there is none.
func (t *Table[K, T]) Get(k K) *T {
	if t == nil {
		return nil
	}
	if i, ok := t.index[k]; ok {
		return t.rows[i]
	}
	return nil
}

// IndexOf returns the index in [Table.Rows] of the record with the key k. If there is none, found
// is false and at is the index that a new record would get.
func (t *Table[K, T]) IndexOf(k K) (at int, found bool) {
	if t == nil {
		return 0, false
	}
	if i, ok := t.index[k]; ok {
		return i, true
	}
	return len(t.rows), false
}

// Rows returns all records in no particular order. The slice and the records must not be changed.
func (t *Table[K, T]) Rows() []*T {
	if t == nil {
		return nil
	}
	return t.rows
}

// Generation returns a number that increases whenever a record is added or removed. If two
// tables of one store have the same generation, they have the same keys at the same indexes of
// [Table.Rows].
func (t *Table[K, T]) Generation() uint64 {
	if t == nil {
		return 0
	}
	return t.generation
}

// All iterates over the records in no particular order.
func (t *Table[K, T]) All() iter.Seq[*T] { return slices.Values(t.Rows()) }

// Sorted returns the records sorted by key: by code or name, then by channel and component in the
// order of document 2.
func (t *Table[K, T]) Sorted() []*T {
	rows := make([]*T, 0, t.Len()) // never nil: an empty table is [], not null
	if t.Len() == 0 {
		return rows
	}
	for _, k := range slices.SortedFunc(maps.Keys(t.index), keyOrder[K]()) {
		rows = append(rows, t.Get(k))
	}
	return rows
}

// MarshalJSON writes the records sorted by key.
func (t *Table[K, T]) MarshalJSON() ([]byte, error) {
	return json.Marshal(t.Sorted())
}

// Record is implemented by pointers to the records of this package.
type Record[K comparable, T any] interface {
	*T
	Key() K
	stamp(version uint64)
	version() uint64
}

// MutableTable is a table that can be changed. It shares its rows and index with the [Table]
// published last, and copies both before it changes them. It never copies the records themselves.
type MutableTable[K comparable, T any, R Record[K, T]] struct {
	versionCounter *uint64 // counter for versions, shared by all tables of a store

	rows          []*T
	index         map[K]int
	generation    uint64       // see [Table.Generation]
	published     *Table[K, T] // the last published table
	versionBefore map[K]uint64 // for each amended record, its version before the amendment
	rowsShared    bool         // rows is shared with published
	indexShared   bool         // index is shared with published
	dirty         bool         // a record was written or deleted since the last publish
}

// Get returns the current record with a key, or nil if there is none. The record must not be
// changed.
func (l *MutableTable[K, T, R]) Get(k K) *T {
	if i, ok := l.index[k]; ok {
		return l.rows[i]
	}
	return nil
}

// IndexOf returns the index in [MutableTable.Rows] of the record with the key k. If there is none,
// found is false and at is the index that a new record would get.
func (l *MutableTable[K, T, R]) IndexOf(k K) (at int, found bool) {
	if i, ok := l.index[k]; ok {
		return i, true
	}
	return len(l.rows), false
}

// Len returns the number of records.
func (l *MutableTable[K, T, R]) Len() int { return len(l.rows) }

// Rows returns the current records in no particular order. The records must not be changed.
// The slice is valid until the next write.
func (l *MutableTable[K, T, R]) Rows() []*T { return l.rows }

// ChangedSince reports whether the record r was written after the given version of the store (see
// [Store.Version]). Writes by [MutableTable.Amend] do not count.
func (l *MutableTable[K, T, R]) ChangedSince(r *T, version uint64) bool {
	if previous, ok := l.versionBefore[R(r).Key()]; ok {
		return previous > version
	}
	return R(r).version() > version
}

// Amend is like [MutableTable.Put], but for a record in which only derived values have changed.
// [MutableTable.ChangedSince] ignores the change.
func (l *MutableTable[K, T, R]) Amend(r *T) {
	k := R(r).Key()
	previous, ok := l.versionBefore[k]
	if old := l.Get(k); !ok && old != nil {
		previous = R(old).version()
	}
	l.Put(r)
	if l.versionBefore == nil {
		l.versionBefore = make(map[K]uint64)
	}
	l.versionBefore[k] = previous
}

// Put stores a record with a new version. It replaces the record with the same key, if there is
// one. The caller must not change r afterwards.
func (l *MutableTable[K, T, R]) Put(r *T) {
	*l.versionCounter++
	R(r).stamp(*l.versionCounter)
	l.dirty = true
	k := R(r).Key()
	delete(l.versionBefore, k)
	if i, ok := l.index[k]; ok {
		l.copySharedRows()
		l.rows[i] = r
		return
	}
	l.copySharedRows()
	l.copySharedIndex()
	l.index[k] = len(l.rows)
	l.rows = append(l.rows, r)
	l.generation++
}

// Delete removes the record with a key and reports whether there was one.
func (l *MutableTable[K, T, R]) Delete(k K) bool {
	i, ok := l.index[k]
	if !ok {
		return false
	}
	l.copySharedRows()
	l.copySharedIndex()
	last := len(l.rows) - 1
	if i != last {
		l.rows[i] = l.rows[last]
		l.index[R(l.rows[i]).Key()] = i
	}
	l.rows[last] = nil
	l.rows = l.rows[:last]
	delete(l.index, k)
	delete(l.versionBefore, k)
	l.generation++
	l.dirty = true
	return true
}

// Replace replaces the table's content with rows. A record that equals the current one is left
// alone and keeps its version, so that only changed records are rendered again. Replace returns the
// numbers of added, changed and removed records.
func (l *MutableTable[K, T, R]) Replace(rows []*T) (added, changed, removed int) {
	seen := make(map[K]bool, len(rows))
	for _, r := range rows {
		k := R(r).Key()
		seen[k] = true
		old := l.Get(k)
		switch {
		case old == r: // readers may hold the record, so do not change its version
			continue
		case old == nil:
			added++
		case equalRecords[K, T, R](old, r):
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

// equalRecords reports whether two records are equal except for their versions. As a side effect,
// it sets the version of r to that of old.
func equalRecords[K comparable, T any, R Record[K, T]](old, r *T) bool {
	R(r).stamp(R(old).version())
	return reflect.DeepEqual(old, r)
}

// copySharedRows copies the rows if they are shared with the published table.
func (l *MutableTable[K, T, R]) copySharedRows() {
	if l.rowsShared {
		l.rows = append(make([]*T, 0, len(l.rows)+1), l.rows...)
		l.rowsShared = false
	}
}

// copySharedIndex creates the index, or copies it if it is shared with the published table.
func (l *MutableTable[K, T, R]) copySharedIndex() {
	switch {
	case l.index == nil:
		l.index = make(map[K]int)
	case l.indexShared:
		l.index = maps.Clone(l.index)
	}
	l.indexShared = false
}

// publish returns the content as an immutable table. It returns the table published last if no
// record was written or deleted since.
func (l *MutableTable[K, T, R]) publish() *Table[K, T] {
	if l.dirty || l.published == nil {
		l.published = &Table[K, T]{
			rows: l.rows[:len(l.rows):len(l.rows)], index: l.index, generation: l.generation,
		}
		l.rowsShared, l.indexShared, l.dirty = true, true, false
	}
	return l.published
}
